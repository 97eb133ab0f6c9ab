/**
 * Whether PostgreSQL rejected a statement because of a value in it: classes 22 (data), 23 (constraint) and 54
 * (limits). Another statement with other values may succeed.
 */
export function isRejectedData(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^(22|23|54)/.test(code);
}
