import sql from 'sql-template-tag';
import { contactFieldNames } from '../../../contacts/fields/contact-fields.ts';
import { eachColumn } from '../../../contacts/fields/field-columns.ts';
import { findContact } from '../../../contacts/find-contact.ts';
import type { ContactRecord } from '../../../contacts/schema.ts';
import {
  insertedContacts,
  notifiedOfContacts,
} from '../../../contacts/writing/inserted-contacts.ts';
import type { Db } from '../../../platform/database/database.ts';
import { ApiError } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';
import { recordEvents } from '../../../webhooks/record-events.ts';

/**
 * Gives a contact the fields and groups that it had before a merge, and inserts the merged one again with its id.
 *
 * @throws ApiError 422 if one of the two was merged again
 */
export async function separateContacts(
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

/** Throws a 422 if another contact has by now what identified one of the two. */
export async function refuseTaken(
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

/** A contact that was deleted has left the log, so one that is gone was merged. */
export function mergedAgain(): ApiError {
  const message = fault(
    'merged_again',
    'It was merged into another one since. Undo that merge first.',
  );
  return new ApiError('invalid', { message });
}
