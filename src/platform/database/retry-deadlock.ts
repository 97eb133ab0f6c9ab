const mostTries = 5;

/**
 * Runs a transaction again when PostgreSQL ended it because it and another waited for each other.
 * Nothing of it has happened then.
 *
 * @param work begins and ends the transaction, and has no effect outside the database
 */
export async function retryDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if ((error as { code?: string }).code !== '40P01' || tries === mostTries) throw error;
    }
  }
}
