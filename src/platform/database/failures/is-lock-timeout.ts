const lockNotAvailable = '55P03';

/**
 * Whether PostgreSQL ended a statement because it waited for a lock for longer than `lock_timeout` allows. The statement
 * had no effect, nor had its transaction.
 */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === lockNotAvailable;
}
