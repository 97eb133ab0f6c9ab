import { randomInt } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../../platform/database.ts';
import { claimerLockClass } from './delivery-queries.ts';

export type ClaimerLock = {
  /** What this process puts on what it takes in hand. */
  id: number;
  release(): Promise<void>;
};

/**
 * A lock in the database that lasts exactly as long as this process: its connection ends with it,
 * even by kill -9. So whoever starts next knows which leases belong to nobody any more. Should the
 * connection break while the process lives, its deliveries may be made twice, no more.
 */
export async function lockAsClaimer(
  db: Database,
  onLost: (error: Error) => void,
): Promise<ClaimerLock> {
  const id = randomInt(1, 2 ** 31 - 1);
  // Not one of the pool's: those are for work.
  const client = new pg.Client(db.pool.options);
  client.on('error', onLost);
  await client.connect();
  await client.query('select pg_advisory_lock($1, $2)', [claimerLockClass, id]);
  return { id, release: () => client.end() };
}
