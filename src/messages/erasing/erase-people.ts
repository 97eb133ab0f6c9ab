import type { Database, Db } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/failures/retry-deadlock.ts';
import { unlessLocked } from '../../platform/database/unless-locked.ts';
import { deleteBuyers, deletePosts } from '../../stores/activity/erase-posts.ts';
import { deleteCopies, deleteGathered } from '../../webhooks/log/delete-copies.ts';
import { forgetIdentities } from '../identities/forget-identities.ts';
import { lockIdentities } from '../identities/lock-identities.ts';
import {
  endErasures,
  findIdentities,
  findTenantsToErase,
  lockErasures,
  postponeWaiting,
} from './erasures.ts';

/** A bulk change deletes contacts by the hundred. */
const maxErasures = 100;

/**
 * Deletes what is left of some people of each tenant whose contact or messages were deleted: up to `limit` deliveries with
 * copies of them, up to as many posts of stores, and after the last ones their identities. What is still to be sent or
 * processed is deleted after that.
 *
 * @param locked tenants that are left out, because their rows are locked for long. Further ones are added
 * @returns the number of changed rows; 0 if nothing can be deleted now
 */
export async function erasePeople(
  db: Database,
  limit: number,
  locked: Set<number> = new Set(),
): Promise<number> {
  let changed = 0;
  for (const tenantId of await findTenantsToErase(db)) {
    const erase = (tx: Db) => erasePeopleOf(tx, tenantId, limit);
    changed += (await retryDeadlock(() => unlessLocked(db, { tenantId, locked }, erase))) ?? 0;
  }
  return changed;
}

async function erasePeopleOf(tx: Db, tenantId: number, limit: number): Promise<number> {
  const erasures = await lockErasures(tx, tenantId, maxErasures);
  if (erasures.length === 0) return 0;
  const identities = await findIdentities(tx, erasures);
  const copies = await deleteCopies(tx, identities, limit);
  const posts = await deletePosts(tx, erasures, limit);
  if (copies.areLeft || posts === limit) return copies.deleted + posts;

  await deleteGathered(tx, identities);
  await deleteBuyers(tx, identities);
  // Before erasures change, because a merge with this lock copies them.
  await lockIdentities(tx, tenantId);
  const ended = await postponeWaiting(tx, erasures, identities);
  await forgetIdentities(tx, ended, identities);
  await endErasures(tx, ended);
  return erasures.length;
}
