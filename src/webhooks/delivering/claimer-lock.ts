import { randomInt } from 'node:crypto';
import type { Database } from '../../platform/database/database.ts';
import { claimerLockClass } from './delivery-queries.ts';

export type ClaimerLock = {
  /** What this process puts on what it takes in hand. */
  id: number;
  release(): Promise<void>;
};

/**
 * A lock in the database that lasts exactly as long as this process. So whoever starts next knows
 * which leases belong to nobody any more. Who starts while the connection of a living process is
 * broken takes its deliveries for left behind, and they may be made twice, no more.
 */
export async function lockAsClaimer(db: Database): Promise<ClaimerLock> {
  const id = randomInt(1, 2 ** 31 - 1);
  return { id, release: await db.hold(claimerLockClass, id) };
}
