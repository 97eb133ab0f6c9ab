import type { Database } from './database/database.ts';
import type { Log } from './log.ts';

/**
 * Logs the failure of a job that is retried automatically. While the database is away, every attempt of
 * every job fails and the loss itself has been logged, so these failures are debug lines.
 */
export function logFailure(
  { db, log }: { db: Database; log: Log },
  err: unknown,
  message: string,
): void {
  log[db.isLost() ? 'debug' : 'error']({ err }, message);
}
