const maxAttempts = 5;

/**
 * Runs a transaction again if PostgreSQL rolled it back because of a deadlock.
 *
 * @param work the whole transaction; it has no effect outside the database
 */
export async function retryDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || attempt === maxAttempts) throw error;
    }
  }
}

/** Whether an error, or its cause, is a deadlock. */
function isDeadlock(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown };
  return code === '40P01' || (cause !== undefined && isDeadlock(cause));
}
