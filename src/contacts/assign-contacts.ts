import { invalid } from '../errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Db } from '../platform/database.ts';
import { retryDeadlock } from '../platform/retry-deadlock.ts';
import { recordEvents } from '../webhooks/record-events.ts';
import { unknownLabels } from './label-errors.ts';
import {
  findContact,
  findLabels,
  lockContact,
  replaceGroups,
  updateContactColumns,
} from './queries.ts';

export type Assignment = {
  status_id?: number | null;
  source_id?: number | null;
  add_group_id?: number;
  remove_group_id?: number;
};

/**
 * Gives many contacts the same labels, each as a change of its own with its event. Groups are added
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
  const { add_group_id: add, ...labels } = assignment;
  const asked = { ...labels, group_ids: add === undefined ? [] : [add] };
  const unknown = unknownLabels(await findLabels(db, tenantId, asked));
  if (Object.keys(unknown).length > 0) throw invalid(unknown);

  let changed = 0;
  for (const id of new Set(ids)) {
    const isThere = await retryDeadlock(() =>
      db.transaction((tx) => assign(tx, tenantId, id, assignment, clock.offsetMs)),
    );
    if (isThere) changed++;
  }
  return changed;
}

async function assign(
  tx: Db,
  tenantId: number,
  id: number,
  { add_group_id: add, remove_group_id: remove, ...labels }: Assignment,
  clockOffsetMs: number,
): Promise<boolean> {
  if (!(await lockContact(tx, tenantId, id))) return false;
  await updateContactColumns(tx, tenantId, id, labels, clockOffsetMs);
  if (add !== undefined || remove !== undefined) {
    const before = (await findContact(tx, tenantId, id))!.group_ids;
    const groups = before.filter((each) => each !== add && each !== remove);
    await replaceGroups(tx, tenantId, id, add === undefined ? groups : [...groups, add]);
  }
  const contact = (await findContact(tx, tenantId, id))!;
  await recordEvents(tx, tenantId, [{ type: 'contact.updated', data: contact }]);
  return true;
}
