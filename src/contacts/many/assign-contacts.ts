import { type AuditChange, recordAudit } from '../../audit/record-audit.ts';
import { nameOfLabel } from '../../labels/name-of-label.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/failures/retry-deadlock.ts';
import { refuseUnknownLabels } from '../writing/faults/refuse-unknown-labels.ts';
import { touchContacts } from '../writing/touch-contacts.ts';
import {
  type Assignment,
  addToGroup,
  lockContacts,
  recordUpdates,
  removeFromGroup,
  setLabels,
} from './assign-queries.ts';

/**
 * Assigns the same labels to many contacts, each with its event, in one transaction. A group is added to the current
 * groups of a contact, so concurrent changes are not lost. Contacts that no longer exist are skipped.
 *
 * @returns how many were changed
 * @throws ApiError 422 on a label that the tenant does not have
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
      const existing = await lockContacts(tx, tenantId, ids);
      const changed = await assignLabels(tx, tenantId, existing, assignment);
      if (changed > 0) {
        await recordAudit(tx, tenantId, {
          action: 'contacts.changed',
          changes: [
            ...(await auditedLabels(tx, tenantId, assignment)),
            { field: 'contacts', after: changed },
          ],
        });
      }
      return changed;
    }),
  );
}

const labelFields = [
  ['status_id', 'statuses'],
  ['source_id', 'sources'],
  ['add_group_id', 'groups'],
  ['remove_group_id', 'groups'],
] as const;

/**
 * Returns the labels of an assignment for the audit log, with their names, because they can be renamed and deleted later.
 * A body can have other fields, with data of a contact.
 */
export async function auditedLabels(
  db: Db,
  tenantId: number,
  assignment: Assignment,
): Promise<AuditChange[]> {
  const changes: AuditChange[] = [];
  for (const [field, kind] of labelFields) {
    const after = assignment[field];
    if (after === undefined) continue;
    const after_name = after === null ? undefined : await nameOfLabel(db, tenantId, kind, after);
    changes.push({ field, after, after_name });
  }
  return changes;
}

/** Returns the labels that an assignment sets or adds, in the form of a contact. */
export function labelsGiven({ status_id, source_id, add_group_id: add }: Assignment) {
  return { status_id, source_id, group_ids: add === undefined ? [] : [add] };
}

/**
 * Assigns labels to contacts, each with its event, in the caller's transaction. There is no event of a contact that
 * has the labels already, as with `updateContact`.
 *
 * @param ids contacts that the transaction has locked
 * @returns how many were changed
 */
export async function assignLabels(
  tx: Db,
  tenantId: number,
  ids: number[],
  { add_group_id: add, remove_group_id: remove, ...labels }: Assignment,
): Promise<number> {
  const changed = new Set([
    ...(await setLabels(tx, tenantId, ids, labels)),
    ...(remove === undefined ? [] : await removeFromGroup(tx, tenantId, ids, remove)),
    ...(add === undefined ? [] : await addToGroup(tx, tenantId, ids, add)),
  ]);
  await touchContacts(tx, tenantId, [...changed]);
  await recordUpdates(tx, tenantId, [...changed]);
  return changed.size;
}
