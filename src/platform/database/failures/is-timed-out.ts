const queryCanceled = '57014';

/** Whether PostgreSQL ended a statement because it took longer than its connection allows. */
export function isTimedOut(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === queryCanceled;
}
