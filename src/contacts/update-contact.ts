import { invalid, notFound } from '../errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { retryDeadlock } from '../platform/retry-deadlock.ts';
import { recordEvents } from '../webhooks/record-events.ts';
import { duplicatePhone, unknownLabels } from './label-errors.ts';
import {
  findContact,
  findLabels,
  isPhoneTaken,
  lockContact,
  replaceGroups,
  updateContactColumns,
} from './queries.ts';
import type { ContactChange, ContactRecord } from './schema.ts';

/**
 * Changes the fields that are given; null, or an empty text, clears; `group_ids` replaces the set.
 *
 * @throws ApiError 404; 422 for a known phone and unknown labels
 */
export async function updateContact(
  { db, clock }: { db: Database; clock: Clock },
  tenantId: number,
  contactId: number,
  change: ContactChange,
): Promise<ContactRecord> {
  const groupIds = change.group_ids === undefined ? undefined : [...new Set(change.group_ids)];

  const write = () =>
    db.transaction(async (tx) => {
      const asked = { ...change, group_ids: groupIds };
      const unknown = unknownLabels(await findLabels(tx, tenantId, asked));
      if (Object.keys(unknown).length > 0) {
        const taken = await isPhoneTaken(tx, tenantId, contactId, change.phone);
        throw invalid({ ...unknown, ...(taken && duplicatePhone) });
      }
      // Two changes of one contact take turns, so that its groups are those of one of them.
      if (!(await lockContact(tx, tenantId, contactId))) throw notFound();
      await updateContactColumns(tx, tenantId, contactId, change, clock.offsetMs);
      if (groupIds) await replaceGroups(tx, tenantId, contactId, groupIds);
      const contact = (await findContact(tx, tenantId, contactId))!;
      await recordEvents(tx, tenantId, [{ type: 'contact.updated', data: contact }]);
      return contact;
    });
  // A label whose row went between the look and the write breaks a foreign key: a second look sees
  // that it is gone, and says so.
  const lookAgain = (error: { code?: string }) => {
    if (error.code === '23503') return write();
    throw error;
  };
  return retryDeadlock(() => write().catch(lookAgain)).catch((error) => {
    throw error.constraint === 'contacts_tenant_id_phone_identity_key'
      ? invalid(duplicatePhone, error)
      : error;
  });
}
