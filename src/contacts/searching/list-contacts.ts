import sql, { raw, type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { DroppedReads } from '../../webhooks/quota/count-dropped-reads.ts';
import { areReadsDropped, recordedReads } from '../../webhooks/record-events.ts';
import { contactRecord } from '../fields/contact-record.ts';
import { totalOf } from '../queries.ts';
import type { ContactRecord } from '../schema.ts';
import type { ContactFilter } from './contact-filter.ts';
import { indexedTextHolds, isInNoField, newTextHolds } from './search-texts.ts';

export type ContactsPage = { total: number; contacts: ContactRecord[] };

/**
 * Lists one page of a tenant's contacts in the order of their creation, with the total, both from the same snapshot.
 * Records a `contact.read` event for each contact of the page.
 *
 * @param droppedReads counts the events if the webhook's quota has no room for them
 * @param page from 1
 * @param search part of a name, phone or email; empty for all contacts
 * @param isNewestFirst whether the order is reversed
 * @param isQuiet whether no event is recorded
 */
export async function listContacts(
  db: Db,
  tenantId: number,
  {
    page,
    perPage,
    search = '',
    omitUsernames = false,
    isNewestFirst = false,
    isQuiet = false,
  }: Pick<ContactFilter, 'search' | 'omitUsernames'> & {
    page: number;
    perPage: number;
    isNewestFirst?: boolean;
    isQuiet?: boolean;
  },
  droppedReads: DroppedReads,
): Promise<ContactsPage> {
  if (isInNoField(search)) return { total: 0, contacts: [] };
  const part = { offset: (page - 1) * perPage, perPage, isNewestFirst };
  const { rows } = await db.query<{
    total: number;
    record: ContactRecord | null;
    are_dropped: boolean;
  }>(
    search === ''
      ? statement(
          'list-contacts',
          pageOf(tenantId, allContacts(tenantId, part), { isNewestFirst, isQuiet }),
        )
      : statement(
          'search-contacts',
          pageOf(tenantId, foundContacts(tenantId, { search, omitUsernames }, part), {
            isNewestFirst,
            isQuiet,
          }),
        ),
  );
  const contacts = rows.flatMap(({ record }) => record ?? []);
  if (rows[0]?.are_dropped && !isQuiet) droppedReads.count(tenantId, contacts.length);
  return { total: rows[0]?.total ?? 0, contacts };
}

type Part = { offset: number; perPage: number; isNewestFirst: boolean };

/** @param found the CTEs `total (total)` and `contact`, the rows of the page */
function pageOf(
  tenantId: number,
  found: Sql,
  { isNewestFirst, isQuiet }: { isNewestFirst: boolean; isQuiet: boolean },
): Sql {
  const direction = directionOf(isNewestFirst);
  return sql`
    with ${found}, page as materialized (
      select contact.id, ${contactRecord()} as record from contact
    ), event as (
      select record as data from page where not ${isQuiet}::boolean order by id ${direction}
    ), ${recordedReads(tenantId)}
    select total.total, page.record, ${areReadsDropped} as are_dropped
    from total left join page on true order by page.id ${direction}`;
}

function allContacts(tenantId: number, { offset, perPage, isNewestFirst }: Part): Sql {
  const begins = isNewestFirst
    ? sql`id <= (
        select contact_at(${tenantId}, case when total.total > ${offset} then total.total - 1 - ${offset} end)
        from total)`
    : sql`id >= (select contact_at(${tenantId}, ${offset}))`;
  return sql`
    total as (${totalOf(tenantId)}), contact as (
      select * from contacts
      where tenant_id = ${tenantId} and ${begins}
      order by id ${directionOf(isNewestFirst)} limit ${perPage}
    )`;
}

function foundContacts(
  tenantId: number,
  { search, omitUsernames }: { search: string; omitUsernames: boolean },
  { offset, perPage, isNewestFirst }: Part,
): Sql {
  const withUsernames = !omitUsernames;
  const direction = directionOf(isNewestFirst);
  const term = sql`(select term.text from term)`;
  return sql`
    term as materialized (
      select searchable(${search}) as text
    ), indexed as materialized (
      select contact_id as id, count(*) over () as total
      from search_texts
      where ${indexedTextHolds(tenantId, term, withUsernames)}
      order by id ${direction} limit ${offset + perPage}
    ), recent as materialized (
      select contact_id as id
      from new_search_texts
      where ${newTextHolds(tenantId, term, withUsernames)}
    ), total as (
      select coalesce((select total from indexed limit 1), 0) + (select count(*) from recent)
        as total
    ), hit as (
      select id from indexed union all select id from recent
      order by id ${direction} offset ${offset} limit ${perPage}
    ), contact as (
      -- An array, because a generic plan of a join might read all contacts.
      select * from contacts
      where tenant_id = ${tenantId} and id = any(array(select id from hit))
    )`;
}

/** Ids grow in the order of creation. */
const directionOf = (isNewestFirst: boolean): Sql => raw(isNewestFirst ? 'desc' : 'asc');
