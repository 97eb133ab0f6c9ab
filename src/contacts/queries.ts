import sql, { join, raw, type Sql } from 'sql-template-tag';
import {
  notifyAnyConversation,
  notifyOfContacts,
} from '../messages/conversations/live/conversation-changes.ts';
import { personOf } from '../messages/conversations/person.ts';
import { isKindOfUser } from '../messages/receiving/find-user-message.ts';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';
import type { Log } from '../platform/log.ts';
import type { DroppedReads } from '../webhooks/quota/count-dropped-reads.ts';
import { areReadsDropped, recordedEvents, recordedRead } from '../webhooks/record-events.ts';
import { contactFieldNames } from './contact-fields.ts';
import { contactRecord, groupIdsNow } from './contact-record.ts';
import type { ContactChange, ContactRecord } from './schema.ts';
import type { KnownLabels } from './writing/contact-errors.ts';

/** Selects `total`, the number of a tenant's contacts, without reading them (docs/decisions/0007). */
export const totalOf = (tenantId: number): Sql => sql`
  select coalesce(sum(contacts), 0)::bigint as total
  from contact_counts where tenant_id = ${tenantId} and span = 1048576`;

export async function countContacts(db: Db, tenantId: number): Promise<number> {
  const { rows } = await db.query<{ total: number }>(totalOf(tenantId));
  return rows[0]!.total;
}

/**
 * Finds one contact, and records a `contact.read` event.
 *
 * @param droppedReads counts the event if the webhook's quota has no room for it
 */
export async function readContact(
  db: Db,
  tenantId: number,
  contactId: number,
  droppedReads: DroppedReads,
): Promise<ContactRecord | undefined> {
  const { rows } = await db.query<{ record: ContactRecord; is_dropped: boolean }>(
    statement(
      'read-contact',
      sql`
        with event as (
          select ${contactRecord()} as data
          from contacts contact where tenant_id = ${tenantId} and id = ${contactId}
        ), ${recordedRead(tenantId)}
        select data as record, ${areReadsDropped} as is_dropped from event`,
    ),
  );
  if (rows[0]?.is_dropped) droppedReads.count(tenantId, 1);
  return rows[0]?.record;
}

/** Checks which labels of a contact the tenant has. Each group id must be given once. */
export async function findKnownLabels(
  db: Db,
  tenantId: number,
  { status_id, source_id, group_ids }: Pick<ContactChange, 'status_id' | 'source_id' | 'group_ids'>,
): Promise<KnownLabels> {
  const groupIds = group_ids ?? [];
  const { rows } = await db.query<KnownLabels>(sql`
    select ${status_id ?? null}::bigint is null or exists (
             select from statuses
             where tenant_id = ${tenantId} and id = ${status_id ?? null} and deleted_at is null
           ) as status_id,
           ${source_id ?? null}::bigint is null or exists (
             select from sources
             where tenant_id = ${tenantId} and id = ${source_id ?? null} and deleted_at is null
           ) as source_id,
           ${groupIds.length} = (
             select count(*) from groups
             where tenant_id = ${tenantId} and id = any(${groupIds}::bigint[])
               and deleted_at is null
           ) as group_ids`);
  return rows[0]!;
}

/** Locks a contact until the transaction ends. Returns whether it exists. */
export async function lockContact(tx: Db, tenantId: number, contactId: number): Promise<boolean> {
  const { rows } = await tx.query(sql`
    select from contacts where tenant_id = ${tenantId} and id = ${contactId} for no key update`);
  return rows.length > 0;
}

const columns = [...contactFieldNames, 'status_id', 'source_id', 'metadata'] as const;

/** The inbox shows the name and can be narrowed to a label. */
const inboxColumns: string[] = ['firstname', 'lastname', 'phone', 'status_id', 'source_id'];

/** The new value of a column. An empty text clears it. */
function newValue(change: ContactChange, column: (typeof columns)[number]): Sql {
  if (column === 'metadata') return sql`${JSON.stringify(change.metadata ?? {})}::jsonb`;
  return sql`${change[column] || null}`;
}

/**
 * Sets the columns that are given and the time of the change. The user id and the username go with the old
 * phone, because WhatsApp attested them for that one.
 *
 * @param isRegrouped whether the groups have changed
 * @returns whether anything has changed, including the groups
 */
export async function updateContactColumns(
  tx: Db,
  tenantId: number,
  contactId: number,
  { change, isRegrouped }: { change: ContactChange; isRegrouped: boolean },
): Promise<boolean> {
  const given = columns.filter((column) => change[column] !== undefined);
  const attested = change.phone ? [raw('user_id'), raw('username')] : [];
  const isOfInbox = isRegrouped || given.some((column) => inboxColumns.includes(column));
  const { rows } = await tx.query(sql`
    with changed as (
    update contacts set ${join([
      sql`updated_at = now()`,
      ...given.map((column) => sql`${raw(column)} = ${newValue(change, column)}`),
      // They stay if the contact had no phone.
      ...attested.map(
        (column) => sql`
          ${column} = case when phone_identity <> phone_identity(${change.phone}) then null else ${column} end`,
      ),
    ])}
    where tenant_id = ${tenantId} and id = ${contactId} and ${join(
      [
        sql`(${isRegrouped}::boolean`,
        ...given.map((column) => sql`${raw(column)} is distinct from ${newValue(change, column)}`),
      ],
      ' or ',
    )})
    returning tenant_id, id, phone, user_id
    ), notified as materialized (
      ${isOfInbox ? notifyOfContacts(sql`changed`) : sql`select`}
    )
    select id from changed cross join (select count(*) from notified) as notified`);
  return rows.length > 0;
}

/** Replaces the groups of a contact. Returns whether they have changed. */
export async function replaceGroups(
  tx: Db,
  tenantId: number,
  contactId: number,
  groupIds: number[],
): Promise<boolean> {
  const left = await tx.query(sql`
    delete from contact_groups
    where tenant_id = ${tenantId} and contact_id = ${contactId}
      and group_id <> all(${groupIds}::bigint[])
    returning group_id`);
  const joined = await tx.query(sql`
    insert into contact_groups (tenant_id, contact_id, group_id)
    select ${tenantId}, ${contactId}, unnest(${groupIds}::bigint[])
    on conflict do nothing
    returning group_id`);
  return left.rows.length + joined.rows.length > 0;
}

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
  const isLeft = sql`
    messages.tenant_id = ${tenantId} and messages.person = conversation.person
    and messages.id > greatest(up_to_id, removed_to) and direction = 'in' and ${isKindOfUser}`;
  const { rows } = await db.query<{ id: number }>(sql`
    with contact as (
      delete from contacts
      where tenant_id = ${tenantId} and id = any(${contactIds}::bigint[]) returning *
    ), left_behind as (
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
        -- Messages that are left are of the next owner of an earlier phone.
        first_inbound_id = case when first_inbound_id > up_to_id then first_inbound_id else (
          select min(id) from messages where ${isLeft}) end,
        unread = least(unread, (select count(*) from messages where ${isLeft})),
        is_open = is_open and coalesce(last_message_id > up_to_id, false),
        assignee = case when last_message_id > up_to_id then assignee end
      from (
        select person, max(up_to_id) as up_to_id from left_behind where not is_taken
        group by person order by person
      ) as left_behind
      where conversation.tenant_id = ${tenantId} and conversation.person = left_behind.person
      returning conversation.tenant_id
    ), notified as materialized (
      ${notifyAnyConversation(sql`removal`)}
    ), closed_windows as (
      delete from conversation_windows as latest using left_behind
      where latest.tenant_id = ${tenantId} and latest.person = left_behind.person and is_latest
    ), forgotten as (
      -- The log of merges has whole contacts.
      delete from identity_merges as merge using contact
      where merge.tenant_id = ${tenantId} and merge.contact_id = contact.id
      returning merge.contact_id, (merge.merged_contact ->> 'id')::bigint as merged_id
    ), queued as (
      insert into erasures (tenant_id, person, contact_id)
      select ${tenantId}::bigint, person, contact_id from left_behind
      union
      select ${tenantId}::bigint, person, merged_id from left_behind join forgotten using (contact_id)
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
