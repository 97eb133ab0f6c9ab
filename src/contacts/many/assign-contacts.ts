import type { Database, Db } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/retry-deadlock.ts';
import { refuseUnknownLabels } from '../writing/refuse-unknown-labels.ts';
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
  { db }: { db: Database },
  tenantId: number,
  ids: number[],
  assignment: Assignment,
): Promise<number> {
  await refuseUnknownLabels(db, tenantId, labelsGiven(assignment));
  return retryDeadlock(() =>
    db.transaction(async (tx) => {
      const there = await lockContacts(tx, tenantId, ids);
      return assignLabels(tx, tenantId, there, assignment);
    }),
  );
}

/** The labels that an assignment gives, in the form of a contact's. */
export function labelsGiven({ status_id, source_id, add_group_id: add }: Assignment) {
  return { status_id, source_id, group_ids: add === undefined ? [] : [add] };
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
): Promise<number> {
  await setLabels(tx, tenantId, ids, labels);
  if (remove !== undefined) await removeFromGroup(tx, tenantId, ids, remove);
  if (add !== undefined) await addToGroup(tx, tenantId, ids, add);
  await recordUpdates(tx, tenantId, ids);
  return ids.length;
}
