import { keepEarlierConversation } from '../../messages/conversations/keep-earlier-conversation.ts';
import type { Database } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/retry-deadlock.ts';
import { invalid, notFound } from '../../platform/errors/api-error.ts';
import { recordEvents } from '../../webhooks/record-events.ts';
import { findContact } from '../find-contact.ts';
import { isPhoneTaken, lockContact, replaceGroups, updateContactColumns } from '../queries.ts';
import type { ContactChange, ContactRecord } from '../schema.ts';
import { takenPhone } from './contact-errors.ts';
import { findContactFaults } from './find-contact-faults.ts';
import { findUnknownLabels } from './refuse-unknown-labels.ts';
import { retryLostLabel } from './retry-lost-label.ts';

/**
 * Changes the given fields of a contact. Null or an empty text clears a field, and `group_ids` replaces all groups.
 * If nothing changes, no event is recorded. Otherwise two servers that mirror each other would loop forever.
 *
 * @throws ApiError 422 for a taken phone and for unknown labels, even if there is no such contact; otherwise 404
 */
export async function updateContact(
  { db }: { db: Database },
  tenantId: number,
  contactId: number,
  change: ContactChange,
): Promise<ContactRecord> {
  const write = () =>
    db.transaction(async (tx) => {
      const unknown = await findUnknownLabels(tx, tenantId, change);
      if (unknown) throw invalid(await findContactFaults(tx, tenantId, contactId, change));
      // Locked, so that two concurrent changes do not mix their groups.
      if (!(await lockContact(tx, tenantId, contactId))) {
        const isTaken = await isPhoneTaken(tx, tenantId, contactId, change.phone);
        throw isTaken ? invalid(takenPhone) : notFound();
      }
      const isRegrouped =
        change.group_ids !== undefined &&
        (await replaceGroups(tx, tenantId, contactId, change.group_ids ?? []));
      if (change.phone) await keepEarlierConversation(tx, tenantId, contactId, change.phone);
      const written = { change, isRegrouped };
      const isChanged = await updateContactColumns(tx, tenantId, contactId, written);
      const contact = (await findContact(tx, tenantId, contactId))!;
      if (isChanged) await recordEvents(tx, tenantId, [{ type: 'contact.updated', data: contact }]);
      return contact;
    });
  return retryDeadlock(() => retryLostLabel(write)).catch((error) => {
    throw error.constraint === 'contacts_tenant_id_phone_identity_key'
      ? invalid(takenPhone, error)
      : error;
  });
}
