import sql from 'sql-template-tag';
import { notifyAnyConversation } from '../messages/conversations/live/conversation-changes.ts';
import { personOf } from '../messages/conversations/person.ts';
import { isKindOfUser } from '../messages/receiving/find-user-message.ts';
import type { Db } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { recordedEvents } from '../webhooks/record-events.ts';
import { contactRecord, groupIdsNow } from './fields/contact-record.ts';

/**
 * Deletes contacts with their conversations, including those of earlier phones up to the time of the change. A
 * phone that another contact has now keeps its messages. The messages disappear immediately, also from open dashboards;
 * a worker deletes the rows and all copies later.
 *
 * The log names the deleted contacts by their ids, so that they can be deleted again after a restore.
 *
 * @returns how many of the contacts existed
 */
export async function deleteContacts(
  { db, log }: { db: Db; log: Log },
  tenantId: number,
  contactIds: number[],
): Promise<number> {
  const isStillShown = sql`
    messages.tenant_id = ${tenantId} and messages.person = conversation.person
    and messages.id > greatest(up_to_id, removed_to) and direction = 'in' and ${isKindOfUser}`;
  const { rows } = await db.query<{ id: number }>(sql`
    with contact as (
      delete from contacts
      where tenant_id = ${tenantId} and id = any(${contactIds}::bigint[]) returning *
    ), hidden as (
      select contact.id as contact_id, ${personOf(tenantId, sql`coalesce(contact.phone, 'user:' || contact.user_id)`)} as person,
             true as is_latest, false as is_taken, case when is_called then last_value else 0 end as up_to_id
      from contact cross join messages_id_seq
      union all
      select contact.id, ${personOf(tenantId, sql`'user:' || contact.user_id`)}, true, false,
             case when is_called then last_value else 0 end
      from contact cross join messages_id_seq
      where contact.user_id is not null
      union all
      select contact.id, earlier.person, false, exists (
               select from contacts as other
               where other.tenant_id = ${tenantId} and other.phone_identity = earlier.person),
             earlier.up_to_id
      from contact
      join earlier_conversations as earlier
        on earlier.tenant_id = ${tenantId} and earlier.contact_id = contact.id
    ), removal as (
      update conversations as conversation set
        removed_to = greatest(removed_to, up_to_id),
        last_message_id = case when last_message_id > up_to_id then last_message_id end,
        -- Messages that are still shown belong to the next owner of an earlier phone.
        first_inbound_id = case when first_inbound_id > up_to_id then first_inbound_id else (
          select min(id) from messages where ${isStillShown}) end,
        unread = least(unread, (select count(*) from messages where ${isStillShown})),
        is_open = is_open and coalesce(last_message_id > up_to_id, false),
        assignee = case when last_message_id > up_to_id then assignee end
      from (
        select person, max(up_to_id) as up_to_id from hidden where not is_taken
        group by person order by person
      ) as hidden
      where conversation.tenant_id = ${tenantId} and conversation.person = hidden.person
      returning conversation.tenant_id
    ), notified as materialized (
      ${notifyAnyConversation(sql`removal`)}
    ), closed_windows as (
      delete from conversation_windows as latest using hidden
      where latest.tenant_id = ${tenantId} and latest.person = hidden.person and is_latest
    ), forgotten as (
      -- The log of merges has whole contacts.
      delete from identity_merges as merge using contact
      where merge.tenant_id = ${tenantId} and merge.contact_id = contact.id
      returning merge.contact_id, (merge.merged_contact ->> 'id')::bigint as merged_id
    ), queued as (
      insert into erasures (tenant_id, person, contact_id)
      select ${tenantId}::bigint, person, contact_id from hidden
      union
      select ${tenantId}::bigint, person, merged_id from hidden join forgotten using (contact_id)
      where is_latest and merged_id is not null
      order by person, contact_id
      on conflict (tenant_id, person, contact_id) do update set due_at = now(), erased_at = now()
    ), event as (
      select tenant_id, 'contact.deleted' as type,
             ${contactRecord(sql`to_json(${groupIdsNow})`)} as data
      from contact
    ), ${recordedEvents}
    select id from contact cross join (select count(*) from notified) as notified`);
  if (rows.length > 0) {
    log.info({ tenantId, contactIds: rows.map(({ id }) => id) }, 'contacts deleted');
  }
  return rows.length;
}
