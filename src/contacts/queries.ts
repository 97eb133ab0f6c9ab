import sql, { join, raw, type Sql } from 'sql-template-tag';
import { notifyOfContacts } from '../messages/conversations/live/conversation-changes.ts';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';
import type { DroppedReads } from '../webhooks/quota/count-dropped-reads.ts';
import { areReadsDropped, recordedRead } from '../webhooks/record-events.ts';
import { contactFieldNames } from './fields/contact-fields.ts';
import { contactRecord } from './fields/contact-record.ts';
import type { ContactChange, ContactRecord } from './schema.ts';
import type { KnownLabels } from './writing/faults/contact-errors.ts';

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
