import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database.ts';
import { recordedBatch } from '../webhooks/record-events.ts';
import { contactRecord } from './contact-record.ts';
import type { ContactRecord } from './schema.ts';

/** What contacts must have; 0 as a label means that they have none of that kind. */
export type ContactFilter = {
  search?: string;
  status_id?: number;
  source_id?: number;
  group_id?: number;
};

/** Beyond this, how many there are is not counted to the end. */
export const mostCounted = 10_000;

/**
 * One page of the contacts that pass a filter, in the order of their ids; each is told as read.
 *
 * @returns also how many pass, at most `mostCounted` + 1
 */
export async function filterContacts(
  db: Db,
  tenantId: number,
  filter: ContactFilter,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ total: number; contacts: ContactRecord[] }> {
  const passes = conditions(tenantId, filter);
  const { rows } = await db.query<{ total: number; record: ContactRecord | null }>(sql`
    with total as (
      select count(*) as total
      from (select from contacts where ${passes} limit ${mostCounted + 1}) as counted
    ), contact as (
      select * from contacts where ${passes}
      order by id offset ${(page - 1) * perPage} limit ${perPage}
    ), page as materialized (
      select contact.id, ${contactRecord()} as record from contact
    ), event as (
      select record as data from page order by id
    ), ${recordedBatch(tenantId, 'contact.read')}
    select total.total, page.record from total left join page on true order by page.id`);
  return { total: rows[0]?.total ?? 0, contacts: rows.flatMap(({ record }) => record ?? []) };
}

function conditions(tenantId: number, filter: ContactFilter): Sql {
  const { search = '', status_id: status, source_id: source, group_id: group } = filter;
  return sql`tenant_id = ${tenantId}
    ${
      search === ''
        ? sql``
        : sql`and id in (
            select contact_id from search_texts
            where tenant_id = ${tenantId}
              and search_grams(tenant_id, text) @@ search_query(${tenantId}, folded(${search}))
              and strpos(text, folded(${search})) > 0
            union all
            select contact_id from new_search_texts
            where tenant_id = ${tenantId} and strpos(text, folded(${search})) > 0)`
    }
    ${status === undefined ? sql`` : sql`and status_id is not distinct from ${status || null}`}
    ${source === undefined ? sql`` : sql`and source_id is not distinct from ${source || null}`}
    ${
      group === undefined
        ? sql``
        : sql`and ${group === 0 ? sql`not` : sql``} exists (
            select from contact_groups
            where tenant_id = ${tenantId} and contact_id = contacts.id
              and (${group} = 0 or group_id = ${group}))`
    }`;
}
