import sql from 'sql-template-tag';
import { type Db, prepared } from '../platform/database/database.ts';
import { type RequestCount, raisedMinutes, resets, shareByToken } from './counted-minute.ts';

/**
 * Counts many requests against their tokens' minutes in one statement and answers in their order.
 */
export async function countRequests(
  db: Db,
  asked: { tenantId: number; tokenId: number }[],
  clockOffsetMs: number,
): Promise<RequestCount[]> {
  const shares = shareByToken(asked);
  const { rows } = await db.query<Omit<RequestCount, 'minute_used'> & { minute_requests: number }>(
    prepared(
      'count-requests',
      sql`
        with moment as (
          select now() + ${clockOffsetMs}::float8 * interval '1 ms' as at
        ), ${raisedMinutes(shares)}
        select minute_requests, ${resets},
               coalesce((
                 select messages from token_days
                 where token_days.tenant_id = minute.tenant_id
                   and token_days.token_id = minute.token_id
                   and token_days.day = (moment.at at time zone 'utc')::date
               ), 0) as day_used
        from minute
        cross join moment
        order by minute.tenant_id, minute.token_id`,
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
 * Deletes minutes that nobody counts in any more, and days older than anybody looks at.
 *
 * @param keptDays how many days of counts and usage stay
 */
export async function deleteOldCounts(db: Db, keptDays: number): Promise<void> {
  await db.query(sql`delete from token_minutes where minute < now() - interval '1 day'`);
  await db.query(sql`
    delete from token_days where day < current_date - ${keptDays}::int`);
  await db.query(sql`
    delete from token_usage where day < current_date - ${keptDays}::int`);
}
