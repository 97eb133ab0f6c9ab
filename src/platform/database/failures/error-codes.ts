/** Whether PostgreSQL ended a statement because it took longer than its connection allows. */
export function isTimedOut(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/**
 * Whether PostgreSQL ended a statement because it waited for a lock for longer than `lock_timeout` allows. The statement
 * had no effect, nor had its transaction.
 */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** Whether a write failed because a row that it refers to was deleted. */
export function isLostReference(error: unknown): boolean {
  return codeOf(error) === '23503';
}

/**
 * Whether PostgreSQL rejected a statement because of a value in it: classes 22 (data), 23 (constraint) and 54
 * (limits). Another statement with other values may succeed.
 */
export function isRejectedData(error: unknown): boolean {
  return /^(22|23|54)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}
