import sql from 'sql-template-tag';
import { contactIdentity } from '../../contacts/contact-identity.ts';
import type { Db } from '../../platform/database/database.ts';
import { personOf } from './person.ts';

/**
 * Remembers that the messages of a contact's phone so far belong to the contact, in the transaction that changes
 * the phone and before the change: they are deleted with the contact. Later messages of that phone do not,
 * because somebody else may have it. Does nothing if the phone stays the same.
 */
export async function keepEarlierConversation(
  tx: Db,
  tenantId: number,
  contactId: number,
  newPhone: string,
): Promise<void> {
  await tx.query(sql`
    insert into earlier_conversations (tenant_id, contact_id, person, up_to_id)
    select tenant_id, id, ${personOf(tenantId, contactIdentity)},
           case when is_called then last_value else 0 end
    from contacts cross join messages_id_seq
    where tenant_id = ${tenantId} and id = ${contactId}
      and phone_identity <> phone_identity(${newPhone})
    on conflict (tenant_id, contact_id, person) do update set up_to_id = excluded.up_to_id`);
}
