import { keepEarlierConversation } from '../../messages/conversations/keep-earlier-conversation.ts';
import type { Database } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/failures/retry-deadlock.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import { recordEvents } from '../../webhooks/record-events.ts';
import { findContact } from '../find-contact.ts';
import { lockContact, replaceGroups, updateContactColumns } from '../queries.ts';
import type { ContactChange, ContactRecord } from '../schema.ts';
import { contactRefusal, type Taken } from './faults/contact-errors.ts';
import { findTaken } from './faults/find-taken.ts';
import { findUnknownLabels } from './faults/refuse-unknown-labels.ts';
import { retryLostLabel } from './faults/retry-lost-label.ts';

/**
 * Changes the given fields of a contact. Null or an empty text clears a field, and `group_ids` replaces all groups.
 * If nothing changes, no event is recorded. Otherwise two servers that mirror each other would loop forever.
 *
 * @throws ApiError 422 for a taken phone or external id and for unknown labels, even if there is no such contact;
 *   otherwise 404
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
      if (unknown) throw contactRefusal(unknown, await findTaken(tx, tenantId, contactId, change));
      // Locked, so that two concurrent changes do not mix their groups.
      if (!(await lockContact(tx, tenantId, contactId))) {
        const taken = await findTaken(tx, tenantId, contactId, change);
        throw isAnyTaken(taken) ? contactRefusal({}, taken) : notFound();
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
  return retryDeadlock(() => retryLostLabel(write)).catch(async (error) => {
    if (!takingConstraints.includes(error.constraint)) throw error;
    throw contactRefusal({}, await findTaken(db, tenantId, contactId, change));
  });
}

const takingConstraints = ['contacts_tenant_id_phone_identity_key', 'contacts_external_id'];

function isAnyTaken({ phone, external_id }: Taken): boolean {
  return phone !== null || external_id !== null;
}
