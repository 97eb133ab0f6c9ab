import sql from 'sql-template-tag';
import { contactFieldNames } from '../../../contacts/contact-fields.ts';
import { eachColumn } from '../../../contacts/field-columns.ts';
import { findContact } from '../../../contacts/find-contact.ts';
import type { ContactRecord } from '../../../contacts/schema.ts';
import {
  insertedContacts,
  notifiedOfContacts,
} from '../../../contacts/writing/inserted-contacts.ts';
import type { Database, Db } from '../../../platform/database/database.ts';
import { ApiError, notFound } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';
import { recordEvents } from '../../../webhooks/record-events.ts';
import { personOf } from '../../conversations/person.ts';
import { notErased } from '../../queries.ts';
import { isKindOfUser } from '../../receiving/find-user-message.ts';
import { removeAlias } from '../aliases.ts';
import { withIdentitiesLocked } from '../lock-identities.ts';
import {
  type ConversationRow,
  isWindowOpener,
  lockConversations,
  moveMessages,
} from './move-messages.ts';

type MergeRow = {
  contact_before: ContactRecord | null;
  merged_contact: ContactRecord | null;
  person: string;
  merged_person: string | null;
  merged_conversation: ConversationRow | null;
  moved_ids: number[];
};

/**
 * Undoes a merge: the contact that was merged comes back with its id, and its messages move back. The other contact
 * gets the fields and groups that it had before. The merge leaves the log, with its copies of both contacts.
 *
 * @throws ApiError 404 if there is no such merge, or it was undone before; 422 if the contact or the conversation was
 *   merged again, or another contact has a phone, user id or external id of one of the two by now
 */
export async function undoMerge(db: Database, tenantId: number, mergeId: number): Promise<void> {
  await withIdentitiesLocked(db, tenantId, async (tx) => {
    const { rows } = await tx.query<MergeRow>(sql`
      delete from identity_merges
      where tenant_id = ${tenantId} and id = ${mergeId} and undone_at is null
      returning contact_before, merged_contact, person, merged_person, merged_conversation, moved_ids`);
    const [merge] = rows;
    if (!merge) throw notFound();
    const { contact_before: before, merged_contact: merged } = merge;
    if (before && merged) {
      if (!(await findContact(tx, tenantId, before.id))) throw mergedAgain();
      await refuseTaken(tx, tenantId, before, merged);
      await separateContacts(tx, tenantId, before, merged);
    }
    if (merge.merged_person !== null) await separateConversations(tx, tenantId, merge);
  });
}

/** Throws a 422 if another contact has by now what identified one of the two. */
async function refuseTaken(
  tx: Db,
  tenantId: number,
  before: ContactRecord,
  merged: ContactRecord,
): Promise<void> {
  const of = (field: 'phone' | 'user_id' | 'external_id') => [before[field], merged[field]];
  const { rows } = await tx.query<{ id: number; value: string }>(sql`
    select id, phone as value from contacts
    where tenant_id = ${tenantId} and id <> ${before.id}
      and phone_identity in (select phone_identity(phone) from unnest(${of('phone')}::text[]) as phone)
    union all
    select id, user_id from contacts
    where tenant_id = ${tenantId} and id <> ${before.id} and user_id = any(${of('user_id')}::text[])
    union all
    select id, external_id from contacts
    where tenant_id = ${tenantId} and id <> ${before.id} and external_id = any(${of('external_id')}::text[])
    limit 1`);
  const [taken] = rows;
  if (!taken) return;
  const message = fault(
    'identity_taken_since',
    'Another contact has {value} by now. Change or delete that contact first.',
    { value: taken.value },
  );
  throw new ApiError('invalid', { message, data: { id: taken.id } });
}

async function separateConversations(
  tx: Db,
  tenantId: number,
  { person, merged_person, merged_conversation: was, moved_ids: only }: MergeRow,
): Promise<void> {
  const merged = merged_person!;
  const { rows } = await tx.query<{ person: string }>(
    sql`select ${personOf(tenantId, person)} as person`,
  );
  if (rows[0]!.person !== person) throw mergedAgain();
  await removeAlias(tx, tenantId, merged);
  await lockConversations(tx, tenantId, [person, merged]);
  const way = { from: person, to: merged, only };
  await moveMessages(tx, tenantId, way, { ...was!, unread: 0 });
  await recount(tx, tenantId, person);
}

/** Sets what a conversation knows of its messages by those that it has. */
async function recount(tx: Db, tenantId: number, person: string): Promise<void> {
  await tx.query(sql`
    update conversations set
      last_message_id = latest.id, number_id = coalesce(latest.number_id, conversations.number_id),
      first_inbound_id = latest.first_inbound_id, phone = null
    from (
      select max(id) as id, (array_agg(number_id order by id desc))[1] as number_id,
             min(id) filter (where direction = 'in' and ${isKindOfUser}) as first_inbound_id
      from messages
      where messages.tenant_id = ${tenantId} and messages.person = ${person} and ${notErased}
    ) as latest
    where conversations.tenant_id = ${tenantId} and conversations.person = ${person}`);
  await tx.query(sql`
    delete from conversation_windows where tenant_id = ${tenantId} and person = ${person}`);
  await tx.query(sql`
    insert into conversation_windows (tenant_id, person, number_id, last_inbound_at)
    select tenant_id, person, number_id, max(created_at) from messages
    where tenant_id = ${tenantId} and person = ${person} and ${isWindowOpener} and ${notErased}
    group by tenant_id, person, number_id`);
}

async function separateContacts(
  tx: Db,
  tenantId: number,
  before: ContactRecord,
  merged: ContactRecord,
): Promise<void> {
  await tx.query(sql`
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
    select from ${notifiedOfContacts}`);
  await tx.query(sql`
    insert into contact_groups (tenant_id, contact_id, group_id)
    select tenant_id, ${merged.id}, id from groups
    where tenant_id = ${tenantId} and id = any(${merged.group_ids}::bigint[]) and deleted_at is null
    on conflict do nothing`);
  // Earlier merges into the contact that comes back.
  await tx.query(sql`
    update identity_merges set contact_id = ${merged.id}
    where tenant_id = ${tenantId} and contact_id = ${before.id}
      and (contact_before ->> 'id')::bigint = ${merged.id}`);
  const kept = await findContact(tx, tenantId, before.id);
  const back = await findContact(tx, tenantId, merged.id);
  if (!kept || !back) throw mergedAgain();
  await recordEvents(tx, tenantId, [
    { type: 'contact.updated', data: kept },
    { type: 'contact.created', data: back },
  ]);
}

/** A contact that was deleted has left the log, so one that is gone was merged. */
function mergedAgain(): ApiError {
  const message = fault(
    'merged_again',
    'It was merged into another one since. Undo that merge first.',
  );
  return new ApiError('invalid', { message });
}
