import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { contactRecord } from './fields/contact-record.ts';
import type { ContactRecord } from './schema.ts';
import {
  type ContactFilter,
  hasLabels,
  leavesFew,
  passes,
  searchHits,
} from './searching/contact-filter.ts';
import { isInNoField } from './searching/search-texts.ts';

/** Counting stops at this number of contacts. */
export const maxCounted = 10_000;

/**
 * Lists one page of the contacts that pass a filter, the newest first.
 *
 * @returns the page, and how many contacts pass, up to `maxCounted` + 1
 */
export async function filterContacts(
  db: Db,
  tenantId: number,
  filter: ContactFilter,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ total: number; contacts: ContactRecord[] }> {
  const { search = '' } = filter;
  if (isInNoField(search)) return { total: 0, contacts: [] };
  const bySearch = search !== '' && !(await leavesFew(db, tenantId, filter));
  // Reads the hits in their order, so that a page of a common term only needs the first ones.
  const [withHits, contacts, found] = bySearch
    ? [
        sql`${searchHits(tenantId, filter)},`,
        sql`hit cross join lateral (
          select * from contacts where tenant_id = ${tenantId} and id = hit.id offset 0
        ) as contacts`,
        hasLabels(tenantId, filter),
      ]
    : [sql``, sql`contacts`, passes(tenantId, filter)];
  const { rows } = await db.query<{ total: number; record: ContactRecord | null }>(sql`
    with ${withHits} total as (
      select count(*) as total
      from (select from ${contacts} where ${found} limit ${maxCounted + 1}) as counted
    ), contact as (
      select contacts.* from ${contacts} where ${found}
      order by ${bySearch ? sql`hit.id` : sql`contacts.id`} desc
      offset ${(page - 1) * perPage} limit ${perPage}
    ), page as (
      select contact.id, ${contactRecord()} as record from contact
    )
    select total.total, page.record
    from total left join page on true order by page.id desc`);
  const shown = rows.flatMap(({ record }) => record ?? []);
  return { total: rows[0]?.total ?? 0, contacts: shown };
}
