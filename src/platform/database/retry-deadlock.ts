const maxTries = 5;

/**
 * Runs a transaction again if PostgreSQL rolled it back because of a deadlock.
 *
 * @param work the whole transaction; it has no effect outside the database
 */
export async function retryDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== '40P01' || tries === maxTries) throw error;
    }
  }
}
