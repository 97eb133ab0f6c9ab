import type { Database } from './database/database.ts';
import type { Log } from './log.ts';

/**
 * Logs that a job failed which is tried again by itself. While the database is away that befalls
 * every job at every try, and has been said once.
 */
export function noteFailure(
  { db, log }: { db: Database; log: Log },
  err: unknown,
  what: string,
): void {
  log[db.isLost() ? 'debug' : 'error']({ err }, what);
}
