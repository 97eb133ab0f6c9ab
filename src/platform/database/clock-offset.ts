import sql from 'sql-template-tag';
import type { Clock } from '../clock.ts';
import type { Db } from './database.ts';

/**
 * Compares the clock of this process with that of the database.
 *
 * @returns by how many seconds ours is ahead; negative if it is behind. Exact to half the time that the query takes
 */
export async function findClockOffset(db: Db, clock: Clock): Promise<number> {
  const before = clock.now().getTime();
  const { rows } = await db.query<{ ms: number }>(
    sql`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`,
  );
  const after = clock.now().getTime();
  return ((before + after) / 2 - rows[0]!.ms) / 1_000;
}
