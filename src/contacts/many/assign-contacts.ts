import { invalid } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/database.ts';
import { retryDeadlock } from '../../platform/retry-deadlock.ts';
import { unknownLabels } from '../label-errors.ts';
import { findLabels } from '../queries.ts';
import {
  type Assignment,
  addToGroup,
  lockContacts,
  recordUpdates,
  removeFromGroup,
  setLabels,
} from './assign-queries.ts';

/**
 * Gives many contacts the same labels, each with its event, in one transaction. Groups are added
 * to what a contact has at that moment, so a change by somebody else meanwhile is not lost. Contacts
 * that are gone meanwhile are passed over.
 *
 * @returns how many were changed
 * @throws ApiError 422 on a label that is not the tenant's
 */
export async function assignContacts(
  { db, clock }: { db: Database; clock: Clock },
  tenantId: number,
  ids: number[],
  assignment: Assignment,
): Promise<number> {
  await refuseUnknownLabels(db, tenantId, assignment);
  return retryDeadlock(() =>
    db.transaction(async (tx) => {
      const there = await lockContacts(tx, tenantId, ids);
      return assignLabels(tx, tenantId, there, assignment, clock.offsetMs);
    }),
  );
}

/** @throws ApiError 422 on a label to be given that is not the tenant's, or not any more */
export async function refuseUnknownLabels(
  db: Db,
  tenantId: number,
  assignment: Assignment,
): Promise<void> {
  const unknown = await findUnknown(db, tenantId, assignment);
  if (Object.keys(unknown).length > 0) throw invalid(unknown);
}

export async function hasUnknownLabel(
  db: Db,
  tenantId: number,
  assignment: Assignment,
): Promise<boolean> {
  return Object.keys(await findUnknown(db, tenantId, assignment)).length > 0;
}

async function findUnknown(db: Db, tenantId: number, { add_group_id: add, ...labels }: Assignment) {
  const asked = { ...labels, group_ids: add === undefined ? [] : [add] };
  return unknownLabels(await findLabels(db, tenantId, asked));
}

/**
 * Gives contacts their labels, each with its event, in the caller's transaction.
 *
 * @param ids of contacts that the transaction has locked
 * @returns how many were changed
 */
export async function assignLabels(
  tx: Db,
  tenantId: number,
  ids: number[],
  { add_group_id: add, remove_group_id: remove, ...labels }: Assignment,
  clockOffsetMs: number,
): Promise<number> {
  await setLabels(tx, tenantId, ids, labels, clockOffsetMs);
  if (remove !== undefined) await removeFromGroup(tx, tenantId, ids, remove);
  if (add !== undefined) await addToGroup(tx, tenantId, ids, add);
  await recordUpdates(tx, tenantId, ids);
  return ids.length;
}
