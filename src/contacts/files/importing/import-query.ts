import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import { retryDeadlock } from '../../../platform/database/failures/retry-deadlock.ts';
import { rowsOf } from '../../../platform/database/rows-of.ts';
import { recordedEvents } from '../../../webhooks/record-events.ts';
import { contactFieldNames, contactFields } from '../../fields/contact-fields.ts';
import { contactRecord } from '../../fields/contact-record.ts';
import { eachColumn, fieldValues } from '../../fields/field-columns.ts';
import type { Metadata } from '../../fields/metadata.ts';
import { insertedContacts, notifiedOfContacts } from '../../writing/inserted-contacts.ts';
import { knownFields } from '../../writing/known-contact.ts';
import { touchContacts } from '../../writing/touch-contacts.ts';
import type { NamedOrNot } from '../csv/read-contacts-csv.ts';

/** A contact of a file. Null, and an empty list of groups, change nothing. */
export type ImportedContact = NamedOrNot & {
  statusId: number | null;
  sourceId: number | null;
  groupIds: number[];
  /** Added to the entries of the contact. */
  metadata: Metadata | null;
};

export type ImportCounts = { created: number; updated: number; unchanged: number };

/**
 * Creates or changes the contacts of many phones, with their events, in one transaction. Rows with the same
 * phone are merged as if they were imported one after another: the later value wins. Contacts that would
 * not change are not touched, so that a file can be imported again.
 */
export async function upsertContacts(
  db: { transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result> },
  tenantId: number,
  contacts: ImportedContact[],
): Promise<ImportCounts> {
  return retryDeadlock(() =>
    db.transaction(async (tx) => {
      await lockKnown(tx, tenantId, contacts);
      const written = await upsertRows(tx, tenantId, contacts);
      const joined = await addToGroups(tx, tenantId, contacts);
      const writtenIds = new Set(written.map((row) => row.id));
      const onlyJoined = [...new Set(joined)].filter((id) => !writtenIds.has(id));
      if (onlyJoined.length > 0) await touchContacts(tx, tenantId, onlyJoined);
      const created = written.filter((row) => row.created).map((row) => row.id);
      const changed = written.filter((row) => !row.created).map((row) => row.id);
      const updated = [...changed, ...onlyJoined];
      await recordWritten(tx, tenantId, created, updated);
      return {
        created: created.length,
        updated: updated.length,
        unchanged: contacts.length - created.length - updated.length,
      };
    }),
  );
}

/** Locks in the order of the ids, as all changes of many contacts do, so that there is no deadlock. */
async function lockKnown(tx: Db, tenantId: number, contacts: ImportedContact[]): Promise<void> {
  await tx.query(sql`
    select from contacts
    where tenant_id = ${tenantId} and phone_identity = any(array(
      select phone_identity(phone)
      from ${rowsOf('known', contacts, {
        phone: ['text', ({ phone }) => phone],
      })}))
    order by id for no key update`);
}

/** The columns of an import, in the order in which they are inserted. */
const columns = [...contactFieldNames, 'status_id', 'source_id'] as const;
/** The columns that an import can change. The phone of a contact stays as it was first written. */
const changeable = [...knownFields, 'status_id', 'source_id'] as const;

async function upsertRows(tx: Db, tenantId: number, contacts: ImportedContact[]) {
  const { rows } = await tx.query<{ id: number; created: boolean }>(sql`
    with ${insertedContacts({
      columns: `tenant_id, ${columns.join(', ')}, metadata`,
      source: sql`
        select ${tenantId}::bigint,
               ${eachColumn(columns, valueOfNew)},
               ${allEntries}
        from ${rowsOf('asked', contacts, {
          ...fieldValues,
          status_id: ['bigint', ({ statusId }) => statusId],
          source_id: ['bigint', ({ sourceId }) => sourceId],
          metadata: ['jsonb', ({ metadata }) => JSON.stringify(metadata ?? {})],
          place: ['int', (_, index) => index + 1],
        })}
        group by phone_identity(phone)
        order by phone_identity(phone)`,
      onConflict: sql`
        update set
          ${eachColumn(changeable, (name, column) => sql`${column} = ${imported(name, column)}`)},
          metadata = contact.metadata || excluded.metadata,
          updated_at = now()
        -- The same text in another Unicode normal form, such as from a Mac, is no change.
        where (${eachColumn(changeable, (name, column) => comparable(name, imported(name, column)))})
          is distinct from
              (${eachColumn(changeable, (name, column) => comparable(name, sql`contact.${column}`))})
          or not contact.metadata @> excluded.metadata`,
    })}
    select id, created from contact cross join ${notifiedOfContacts}`);
  return rows;
}

/** The metadata of the rows with the same phone; the later value of an entry wins. */
const allEntries: Sql = sql`coalesce((
  select jsonb_object_agg(entry.key, entry.value order by part.place)
  from unnest(array_agg(asked.metadata order by asked.place)) with ordinality as part (metadata, place)
  cross join jsonb_each(part.metadata) as entry
), '{}')`;

/** The value in the first of the rows with the same phone. */
function first(column: Sql): Sql {
  return sql`(array_agg(${column} order by place))[1]`;
}

/** The value in the last row with a value, of the rows with the same phone. */
function latest(column: Sql): Sql {
  return sql`(array_agg(${column} order by place desc) filter (where ${column} is not null))[1]`;
}

/** The value of a column of a new contact. Without a first name it gets the phone, as elsewhere. */
function valueOfNew(name: (typeof columns)[number], column: Sql): Sql {
  if (name === 'phone') return first(column);
  if (name === 'firstname') return sql`coalesce(${latest(column)}, ${first(sql`phone`)})`;
  return latest(column);
}

/** The value of a column after the import. A known contact keeps its first name if the rows have none. */
function imported(name: (typeof changeable)[number], column: Sql): Sql {
  const given =
    name === 'firstname'
      ? sql`nullif(excluded.firstname, excluded.phone)`
      : sql`excluded.${column}`;
  return sql`coalesce(${given}, contact.${column})`;
}

function comparable(name: (typeof changeable)[number], value: Sql): Sql {
  const isText = name in contactFields;
  return isText ? sql`normalize(${value}::text)` : value;
}

/** @returns the contacts that have joined a group */
async function addToGroups(
  tx: Db,
  tenantId: number,
  contacts: ImportedContact[],
): Promise<number[]> {
  const members = contacts.flatMap(({ phone, groupIds }) =>
    groupIds.map((groupId) => ({ phone, groupId })),
  );
  if (members.length === 0) return [];
  const { rows } = await tx.query<{ contact_id: number }>(sql`
    insert into contact_groups (tenant_id, contact_id, group_id)
    select contacts.tenant_id, contacts.id, member.group_id
    from ${rowsOf('member', members, {
      phone: ['text', ({ phone }) => phone],
      group_id: ['bigint', ({ groupId }) => groupId],
    })}
    join contacts on contacts.tenant_id = ${tenantId}
      and contacts.phone_identity = phone_identity(member.phone)
    order by contacts.id, member.group_id
    on conflict do nothing
    returning contact_id`);
  return rows.map((row) => row.contact_id);
}

async function recordWritten(
  tx: Db,
  tenantId: number,
  created: number[],
  updated: number[],
): Promise<void> {
  if (created.length + updated.length === 0) return;
  await tx.query(sql`
    with event as (
      select tenant_id,
             case when id = any(${created}::bigint[])
               then 'contact.created' else 'contact.updated' end as type,
             ${contactRecord()} as data
      from contacts contact
      where tenant_id = ${tenantId} and id = any(${[...created, ...updated]}::bigint[])
      order by id
    ), ${recordedEvents}
    select 1`);
}
