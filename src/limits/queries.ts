import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { moment } from '../platform/database/moment.ts';
import { prepared } from '../platform/database/prepared.ts';
import { countedRequests, type RequestCount, resetsAfter, shareByToken } from './token-counts.ts';

/**
 * Counts many requests against their tokens' minutes in one statement and answers in their order.
 */
export async function countRequests(
  db: Db,
  asked: { tenantId: number; tokenId: number }[],
  clockOffsetMs: number,
): Promise<RequestCount[]> {
  const shares = shareByToken(asked);
  const at = moment(clockOffsetMs);
  const { rows } = await db.query<Omit<RequestCount, 'minute_used'> & { minute_requests: number }>(
    prepared(
      'count-requests',
      sql`
        with ${countedRequests(shares, at)}
        select minute_requests, ${resetsAfter(at)}, day_messages as day_used
        from counted
        -- Nobody waits for the disk: a crash of the database may forget some requests of a minute.
        cross join (select set_config('synchronous_commit', 'off', true)) as commit
        order by tenant_id, token_id`,
    ),
  );
  const counts = new Map<object, RequestCount>();
  shares.forEach(({ items }, index) => {
    const { minute_requests, ...count } = rows[index]!;
    const before = minute_requests - items.length;
    items.forEach((item, place) => {
      counts.set(item, { ...count, minute_used: before + place + 1 });
    });
  });
  return asked.map((item) => counts.get(item)!);
}

/**
 * Deletes what was counted on older days.
 *
 * @param keptDays how many days of counts and usage stay
 */
export async function deleteOldCounts(db: Db, keptDays: number): Promise<void> {
  await db.query(sql`
    delete from token_days where day < current_date - ${keptDays}::int`);
  await db.query(sql`
    delete from token_usage where day < current_date - ${keptDays}::int`);
}
