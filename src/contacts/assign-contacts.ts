import { ApiError } from '../errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { findContact } from './queries.ts';
import { updateContact } from './update-contact.ts';

export type Assignment = {
  status_id?: number | null;
  source_id?: number | null;
  add_group_id?: number;
  remove_group_id?: number;
};

/**
 * Gives many contacts the same labels, each as a change of its own with its event. Contacts that are
 * gone meanwhile are passed over.
 *
 * @returns how many were changed
 * @throws ApiError 422 on a label that is not the tenant's
 */
export async function assignContacts(
  services: { db: Database; clock: Clock },
  tenantId: number,
  ids: number[],
  { add_group_id: add, remove_group_id: remove, ...labels }: Assignment,
): Promise<number> {
  let changed = 0;
  for (const id of new Set(ids)) {
    const contact = await findContact(services.db, tenantId, id);
    if (!contact) continue;
    const groups = contact.group_ids.filter((each) => each !== add && each !== remove);
    if (add !== undefined) groups.push(add);
    const change = {
      ...labels,
      ...(add !== undefined || remove !== undefined ? { group_ids: groups } : {}),
    };
    try {
      await updateContact(services, tenantId, id, change);
      changed++;
    } catch (error) {
      // Deleted since it was found.
      if (!(error instanceof ApiError && error.kind === 'not_found')) throw error;
    }
  }
  return changed;
}
