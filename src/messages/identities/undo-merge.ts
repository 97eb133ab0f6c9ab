import sql from 'sql-template-tag';
import { contactFieldNames } from '../../contacts/contact-fields.ts';
import { eachColumn } from '../../contacts/field-columns.ts';
import { findContact } from '../../contacts/find-contact.ts';
import type { ContactRecord } from '../../contacts/schema.ts';
import { insertedContacts } from '../../contacts/writing/inserted-contacts.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import { recordEvents } from '../../webhooks/record-events.ts';
import type { ConversationRow } from './move-messages.ts';

type MergeRow = {
  id: number;
  contact_id: number | null;
  contact_before: ContactRecord | null;
  merged_contact: ContactRecord | null;
  person: string;
  merged_person: string | null;
  merged_conversation: ConversationRow | null;
  moved_ids: number[];
};

/**
 * Undoes a merge: the contact that was merged comes back with its id, and its messages move back. The other contact
 * gets the fields and groups that it had before.
 *
 * @throws ApiError 404 if there is no such merge, or it was undone before, or the contact no longer exists
 */
export async function undoMerge(db: Database, tenantId: number, mergeId: number): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = await tx.query<MergeRow>(sql`
      update identity_merges set undone_at = now()
      where tenant_id = ${tenantId} and id = ${mergeId} and undone_at is null
      returning id, contact_id, contact_before, merged_contact, person, merged_person, merged_conversation,
                moved_ids`);
    const [merge] = rows;
    if (!merge) throw notFound();
    if (merge.merged_person !== null) await separateConversations(tx, tenantId, merge);
    if (merge.merged_contact && merge.contact_before) {
      await separateContacts(tx, tenantId, merge.contact_before, merge.merged_contact);
    }
  });
}

async function separateConversations(
  tx: Db,
  tenantId: number,
  { person, merged_person: merged, merged_conversation: was, moved_ids: ids }: MergeRow,
): Promise<void> {
  await tx.query(sql`
    delete from conversation_aliases where tenant_id = ${tenantId} and identity = ${merged}`);
  await tx.query(sql`
    insert into conversations
      (tenant_id, person, number_id, last_message_id, phone, first_inbound_id, unread, is_open, assignee)
    values (${tenantId}, ${merged}, ${was!.number_id}, ${was!.last_message_id}, ${was!.phone},
            ${was!.first_inbound_id}, 0, ${was!.is_open}, ${was!.assignee})
    on conflict (tenant_id, person) do update set last_message_id = excluded.last_message_id`);
  await tx.query(sql`
    update messages set person = ${merged}, phone = nullif(coalesce(phone, ${person}), ${merged})
    where tenant_id = ${tenantId} and id = any(${ids}::bigint[]) and person = ${person}`);
  await tx.query(sql`
    update conversations set
      last_message_id = (
        select max(id) from messages where tenant_id = ${tenantId} and messages.person = ${person}),
      first_inbound_id = (
        select min(id) from messages
        where tenant_id = ${tenantId} and messages.person = ${person} and direction = 'in'),
      phone = null
    where tenant_id = ${tenantId} and conversations.person = ${person}`);
}

async function separateContacts(
  tx: Db,
  tenantId: number,
  before: ContactRecord,
  merged: ContactRecord,
): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update contacts set
      ${eachColumn(contactFieldNames, (name, column) => sql`${column} = ${before[name] ?? null}`)},
      user_id = ${before.user_id}, username = ${before.username},
      -- Merges of earlier versions have no metadata.
      metadata = ${JSON.stringify(before.metadata ?? {})},
      status_id = (
        select id from statuses
        where tenant_id = ${tenantId} and id = ${before.status_id} and deleted_at is null),
      source_id = (
        select id from sources
        where tenant_id = ${tenantId} and id = ${before.source_id} and deleted_at is null),
      updated_at = now()
    where tenant_id = ${tenantId} and id = ${before.id}`);
  if (rowCount === 0) throw notFound();
  await tx.query(sql`
    delete from contact_groups
    where tenant_id = ${tenantId} and contact_id = ${before.id}
      and group_id = any(${merged.group_ids}::bigint[]) and group_id <> all(${before.group_ids}::bigint[])`);
  await tx.query(sql`
    with ${insertedContacts({
      columns: `tenant_id, id, ${contactFieldNames.join(', ')}, user_id, username, metadata, status_id, source_id, created_at`,
      source: sql`
        values (${tenantId}::bigint, ${merged.id}::bigint,
                ${eachColumn(contactFieldNames, (name) => sql`${merged[name] ?? null}`)},
                ${merged.user_id}, ${merged.username}, ${JSON.stringify(merged.metadata ?? {})}::jsonb,
                (select id from statuses
                 where tenant_id = ${tenantId} and id = ${merged.status_id} and deleted_at is null),
                (select id from sources
                 where tenant_id = ${tenantId} and id = ${merged.source_id} and deleted_at is null),
                ${merged.created_at}::timestamptz)`,
    })}
    select from contact`);
  await tx.query(sql`
    insert into contact_groups (tenant_id, contact_id, group_id)
    select tenant_id, ${merged.id}, id from groups
    where tenant_id = ${tenantId} and id = any(${merged.group_ids}::bigint[]) and deleted_at is null
    on conflict do nothing`);
  const kept = await findContact(tx, tenantId, before.id);
  const back = await findContact(tx, tenantId, merged.id);
  if (!kept || !back) throw notFound();
  await recordEvents(tx, tenantId, [
    { type: 'contact.updated', data: kept },
    { type: 'contact.created', data: back },
  ]);
}
