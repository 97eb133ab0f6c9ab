import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { personOf } from './person.ts';

/**
 * Leads a new phone of a contact to the contact's conversation, in the transaction that changes the phone and
 * before the change. If the new phone has a conversation already, both stay, and the earlier one remembers that
 * its messages belong to the contact. Later messages of the old phone begin a new conversation, because somebody
 * else may have it. Does nothing if the phone stays the same.
 */
export async function moveConversation(
  tx: Db,
  tenantId: number,
  contactId: number,
  phone: string,
): Promise<void> {
  await tx.query(sql`
    with change as (
      select phone_identity as old, phone_identity(${phone}) as new,
             ${personOf(tenantId, sql`contacts.phone`)} as person,
             ${personOf(tenantId, phone)} as person_of_new
      from contacts
      where tenant_id = ${tenantId} and id = ${contactId}
        and phone_identity <> phone_identity(${phone})
    ), conversation as (
      select change.*, exists (
               select from conversations
               where tenant_id = ${tenantId} and person = person_of_new and last_message_id is not null
             ) as has_other
      from change
      join conversations
        on conversations.tenant_id = ${tenantId} and conversations.person = change.person
      where last_message_id is not null
    ), lead as (
      insert into conversation_aliases as alias (tenant_id, identity, person)
      select ${tenantId}, new, person from conversation where not has_other
      union all
      select ${tenantId}, old, old || '/' || nextval('messages_id_seq')
      from conversation where not has_other
      order by 2
      on conflict (tenant_id, identity) do update set person = excluded.person
    )
    update conversations set
      phone = case when has_other then phone else nullif(${phone}, conversations.person) end,
      contact_id = case when has_other then ${contactId}::bigint end,
      contact_up_to = case when has_other then last_message_id end
    from conversation
    where conversations.tenant_id = ${tenantId} and conversations.person = conversation.person`);
}
