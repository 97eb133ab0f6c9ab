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
      if ((error as { code?: string }).code !== '40P01' || attempt === maxAttempts) throw error;
    }
  }
}
