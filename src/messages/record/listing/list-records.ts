import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import { type RecordRow, recordsOf } from './find-records.ts';
import { passes, type RecordFilter } from './record-filter.ts';
import { maxScanned, microseconds, type RecordPosition, scanOf } from './scan-messages.ts';

/**
 * Lists the records of messages, newest first.
 *
 * @param after the position of the last message of the page before
 * @returns `next` is the position where the next page begins; undefined at the end. A page can have fewer records
 *   than `limit`,
 *   and even none, before the end
 */
export async function listRecords(
  db: Db,
  tenantId: number,
  filter: RecordFilter,
  { after, limit }: { after?: RecordPosition | undefined; limit: number },
): Promise<{ records: RecordRow[]; next: RecordPosition | undefined }> {
  const { rows } = await db.query<RecordRow & { position: number }>(
    recordPage(tenantId, filter, after, limit + 1),
  );
  const records = rows.slice(0, limit);
  const last = records.at(-1);
  const isMore = rows.length > limit && last !== undefined;
  const next: RecordPosition | undefined = isMore
    ? [last.position, last.id]
    : await endOfScan(db, tenantId, filter, after);
  return { records, next };
}

/**
 * The statement of a page, exported for a test of its plan. Each lookup has `limit 1`, so that PostgreSQL does it for
 * one message after the other and stops when the page is full. Otherwise it may join all of the scan first.
 */
export function recordPage(
  tenantId: number,
  filter: RecordFilter,
  after: RecordPosition | undefined,
  limit: number,
): Sql {
  const { scan, orderBy } = scanOf(tenantId, filter, after);
  return sql`
    with page as materialized (
      select messages.*
      from (${scan}) as scanned
      cross join lateral (
        select * from messages
        where messages.tenant_id = ${tenantId} and messages.id = scanned.id
        limit 1
      ) as messages
      left join lateral (
        select status, error from message_states as state
        where state.tenant_id = ${tenantId} and state.message_id = scanned.id
        limit 1
      ) as state on true
      left join lateral (
        select removed_to from conversations as conversation
        where conversation.tenant_id = ${tenantId} and conversation.person = messages.person
        limit 1
      ) as conversation on true
      where ${passes(tenantId, filter)} and coalesce(removed_to < scanned.id, true)
      order by ${orderBy(sql`scanned`)} limit ${limit}
    )
    select scanned.*, ${microseconds(sql`scanned.created_at`)} as position
    from (${recordsOf(tenantId, sql`page`)}) as scanned
    order by ${orderBy(sql`scanned`)}`;
}

/** Finds the position at which a page stopped looking; undefined if it has seen everything. */
async function endOfScan(
  db: Db,
  tenantId: number,
  filter: RecordFilter,
  after: RecordPosition | undefined,
): Promise<RecordPosition | undefined> {
  const { scan, orderBy } = scanOf(tenantId, filter, after);
  const { rows } = await db.query<{ position: number; id: number }>(sql`
    select ${microseconds(sql`created_at`)} as position, id from (${scan}) as scanned
    order by ${orderBy(sql`scanned`)} offset ${maxScanned - 1} limit 1`);
  const [end] = rows;
  return end && [end.position, end.id];
}
