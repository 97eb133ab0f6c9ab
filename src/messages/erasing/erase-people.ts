import type { Database, Db } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/failures/retry-deadlock.ts';
import { deleteBuyers, deletePosts } from '../../stores/activity/erase-posts.ts';
import { deleteCopies, deleteGathered } from '../../webhooks/log/delete-copies.ts';
import { forgetIdentities } from '../identities/forget-identities.ts';
import { lockIdentities } from '../identities/lock-identities.ts';
import {
  type Erasure,
  endErasures,
  findIdentities,
  lockErasures,
  postponeWaiting,
} from './erasures.ts';

/** A bulk change deletes contacts by the hundred. */
const maxErasures = 100;

/**
 * Deletes what is left of some people whose contact or messages were deleted: up to `limit` deliveries with copies of
 * them, up to as many posts of stores, and after the last ones their identities. What is still to be sent or processed
 * is deleted after that.
 *
 * @returns the number of changed rows; 0 if nothing can be deleted now
 */
export function erasePeople(db: Database, limit: number): Promise<number> {
  return retryDeadlock(() =>
    db.transaction(async (tx) => {
      const erasures = await lockErasures(tx, maxErasures);
      if (erasures.length === 0) return 0;
      const identities = await findIdentities(tx, erasures);
      const copies = await deleteCopies(tx, identities, limit);
      const posts = await deletePosts(tx, erasures, limit);
      if (copies.areLeft || posts === limit) return copies.deleted + posts;

      await deleteGathered(tx, identities);
      await deleteBuyers(tx, identities);
      // Before erasures change, because a merge with this lock copies them.
      await lockPeople(tx, erasures);
      const ended = await postponeWaiting(tx, erasures, identities);
      await forgetIdentities(tx, ended, identities);
      await endErasures(tx, ended);
      return erasures.length;
    }),
  );
}

/** Keeps others from joining or separating people of these tenants until the transaction ends. */
async function lockPeople(tx: Db, erasures: Erasure[]): Promise<void> {
  const tenants = new Set(erasures.map(({ tenant_id }) => tenant_id));
  for (const id of [...tenants].sort((a, b) => a - b)) await lockIdentities(tx, id);
}
