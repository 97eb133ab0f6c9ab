import { randomInt } from 'node:crypto';
import { claimerLockClass } from '../../platform/database/advisory-locks.ts';
import type { Database } from '../../platform/database/database.ts';

export type ClaimerLock = {
  /** Identifies this process in the leases of its deliveries. */
  id: number;
  release(): Promise<void>;
};

/**
 * Takes an advisory lock that lasts exactly as long as this process, so that a process that starts later can
 * see which leases were abandoned. A process that starts while another one has lost its connection takes the
 * other's deliveries for abandoned, and these may be sent twice.
 */
export async function lockAsClaimer(db: Database): Promise<ClaimerLock> {
  const id = randomInt(1, 2 ** 31 - 1);
  return { id, release: await db.lockForLife(claimerLockClass, id) };
}
