import sql, { raw, type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/retry-deadlock.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import { contactRecord } from '../contact-record.ts';
import { insertedContacts } from '../writing/inserted-contacts.ts';

/** A contact as a file knows it; null and no group say nothing. */
export type ImportedContact = {
  firstname: string;
  lastname: string | null;
  phone: string;
  email: string | null;
  company: string | null;
  city: string | null;
  statusId: number | null;
  sourceId: number | null;
  groupIds: number[];
};

export type ImportCounts = { created: number; updated: number; unchanged: number };

/**
 * Creates or changes the contacts of many phones, with their events, in one transaction. Contacts
 * with one phone are one, as if they came one after another: what a later one says counts. What is
 * the same already is not touched, so that the same rows can come again.
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
      await touch(tx, tenantId, onlyJoined);
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

/** In the order of their ids, as whoever changes many does, so that they take turns. */
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

async function upsertRows(tx: Db, tenantId: number, contacts: ImportedContact[]) {
  const { rows } = await tx.query<{ id: number; created: boolean }>(sql`
    with ${insertedContacts({
      columns: 'tenant_id, firstname, lastname, phone, email, company, city, status_id, source_id',
      source: sql`
        select ${tenantId}::bigint, ${latest('firstname')}, ${latest('lastname')},
               (array_agg(phone order by place))[1], ${latest('email')}, ${latest('company')},
               ${latest('city')}, ${latest('status_id')}, ${latest('source_id')}
        from ${rowsOf('asked', contacts, {
          firstname: ['text', ({ firstname }) => firstname],
          lastname: ['text', ({ lastname }) => lastname],
          phone: ['text', ({ phone }) => phone],
          email: ['text', ({ email }) => email],
          company: ['text', ({ company }) => company],
          city: ['text', ({ city }) => city],
          status_id: ['bigint', ({ statusId }) => statusId],
          source_id: ['bigint', ({ sourceId }) => sourceId],
          place: ['int', (_, index) => index + 1],
        })}
        group by phone_identity(phone)
        order by phone_identity(phone)`,
      known: sql`
        update set
          firstname = excluded.firstname,
          lastname = coalesce(excluded.lastname, contact.lastname),
          email = coalesce(excluded.email, contact.email),
          company = coalesce(excluded.company, contact.company),
          city = coalesce(excluded.city, contact.city),
          status_id = coalesce(excluded.status_id, contact.status_id),
          source_id = coalesce(excluded.source_id, contact.source_id),
          updated_at = now()
        -- What is only in another Unicode normal form, as from a Mac, is the same.
        where (normalize(excluded.firstname),
               normalize(coalesce(excluded.lastname, contact.lastname)),
               normalize(coalesce(excluded.email, contact.email)),
               normalize(coalesce(excluded.company, contact.company)),
               normalize(coalesce(excluded.city, contact.city)),
               coalesce(excluded.status_id, contact.status_id),
               coalesce(excluded.source_id, contact.source_id))
          is distinct from
              (normalize(contact.firstname), normalize(contact.lastname), normalize(contact.email),
               normalize(contact.company), normalize(contact.city), contact.status_id,
               contact.source_id)`,
    })}
    select id, created from contact`);
  return rows;
}

/** Of contacts with one phone, what the last that says something says. */
function latest(column: string): Sql {
  const name = raw(column);
  return sql`(array_agg(${name} order by place desc) filter (where ${name} is not null))[1]`;
}

/** @returns the contacts that are in a group now that they were not in before */
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

/** Receivers of events tell by this moment which of two is the newer. */
async function touch(tx: Db, tenantId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql`
    update contacts set updated_at = now()
    where tenant_id = ${tenantId} and id = any(${ids}::bigint[])`);
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
