import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import type { DroppedReads } from '../webhooks/quota/count-dropped-reads.ts';
import { areReadsDropped, recordedReads } from '../webhooks/record-events.ts';
import { contactRecord } from './contact-record.ts';
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
 * Lists one page of the contacts that pass a filter, in the order of their ids, and records a `contact.read`
 * event for each.
 *
 * @param droppedReads counts the events if the webhook's quota has no room for them
 * @returns the page, and how many contacts pass, up to `maxCounted` + 1
 */
export async function filterContacts(
  db: Db,
  tenantId: number,
  filter: ContactFilter,
  { page, perPage }: { page: number; perPage: number },
  droppedReads: DroppedReads,
): Promise<{ total: number; contacts: ContactRecord[] }> {
  const { search = '' } = filter;
  if (isInNoField(search)) return { total: 0, contacts: [] };
  const bySearch = search !== '' && !(await leavesFew(db, tenantId, filter));
  // Reads the hits in their order, so that a page of a common term only needs the first ones.
  const [withHits, contacts, found] = bySearch
    ? [
        sql`${searchHits(tenantId, search)},`,
        sql`hit cross join lateral (
          select * from contacts where tenant_id = ${tenantId} and id = hit.id offset 0
        ) as contacts`,
        hasLabels(tenantId, filter),
      ]
    : [sql``, sql`contacts`, passes(tenantId, filter)];
  const { rows } = await db.query<{
    total: number;
    record: ContactRecord | null;
    are_dropped: boolean;
  }>(sql`
    with ${withHits} total as (
      select count(*) as total
      from (select from ${contacts} where ${found} limit ${maxCounted + 1}) as counted
    ), contact as (
      select contacts.* from ${contacts} where ${found}
      order by ${bySearch ? sql`hit.id` : sql`contacts.id`}
      offset ${(page - 1) * perPage} limit ${perPage}
    ), page as materialized (
      select contact.id, ${contactRecord()} as record from contact
    ), event as (
      select record as data from page order by id
    ), ${recordedReads(tenantId)}
    select total.total, page.record, ${areReadsDropped} as are_dropped
    from total left join page on true order by page.id`);
  const shown = rows.flatMap(({ record }) => record ?? []);
  if (rows[0]?.are_dropped) droppedReads.count(tenantId, shown.length);
  return { total: rows[0]?.total ?? 0, contacts: shown };
}
