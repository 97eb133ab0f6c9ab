import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { DroppedReads } from '../../webhooks/quota/count-dropped-reads.ts';
import { areReadsDropped, recordedReads } from '../../webhooks/record-events.ts';
import { contactRecord } from '../fields/contact-record.ts';
import type { ContactRecord, ContactSort } from '../schema.ts';
import { findPage, type Place } from './find-page.ts';
import { countFound, findReach, type ListFilter } from './list-filter.ts';
import { isInNoField } from './search-texts.ts';

type FilteredPage = {
  total: number;
  contacts: ContactRecord[];
  /** The last contact of the page, if there are more. */
  last: Place | undefined;
};

/**
 * Lists one page of the contacts that pass a filter, and records a `contact.read` event for each.
 *
 * @param from.after the last contact of the page before, and the total that was counted for the first page. Otherwise
 *   the page begins at `offset`.
 * @param isHead the response has no contacts, so no event is recorded
 * @param isQuiet whether no `contact.read` events are recorded
 * @param droppedReads counts the events if the webhook's quota has no room for them
 */
export async function listFiltered(
  db: Db,
  tenantId: number,
  filter: ListFilter,
  sort: ContactSort,
  from: { offset: number } | { after: Place; total: number },
  { perPage, isQuiet }: { perPage: number; isQuiet: boolean },
  droppedReads: DroppedReads,
): Promise<FilteredPage> {
  if (isInNoField(filter.search ?? '')) return { total: 0, contacts: [], last: undefined };
  const reach = await findReach(db, tenantId, filter);
  const hasCursor = 'after' in from;
  const places = await findPage(
    db,
    tenantId,
    { reach, filter, sort },
    {
      after: hasCursor ? from.after : undefined,
      offset: hasCursor ? 0 : from.offset,
      // One more shows whether there is a next page.
      limit: perPage + 1,
    },
  );
  const total = hasCursor ? from.total : await countFound(db, tenantId, reach, filter);
  const shown = places.slice(0, perPage);
  const ids = shown.map(({ id }) => id);
  const contacts = await readContacts(db, tenantId, { ids, isQuiet }, droppedReads);
  return { total, contacts, last: places.length > perPage ? shown.at(-1) : undefined };
}

/** Reads contacts in the order of their ids in `ids`. */
async function readContacts(
  db: Db,
  tenantId: number,
  { ids, isQuiet }: { ids: number[]; isQuiet: boolean },
  droppedReads: DroppedReads,
): Promise<ContactRecord[]> {
  const { rows } = await db.query<{ record: ContactRecord; are_dropped: boolean }>(
    statement(
      'read-contacts',
      sql`
        with page as materialized (
          select array_position(${ids}::bigint[], contact.id) as place, ${contactRecord()} as record
          from contacts contact
          where tenant_id = ${tenantId} and id = any(${ids}::bigint[])
        ), event as (
          select record as data from page where not ${isQuiet}::boolean order by place
        ), ${recordedReads(tenantId)}
        select record, ${areReadsDropped} as are_dropped from page order by place`,
    ),
  );
  if (rows[0]?.are_dropped && !isQuiet) droppedReads.count(tenantId, rows.length);
  return rows.map(({ record }) => record);
}
