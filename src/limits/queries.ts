import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';
import {
  countedRequests,
  countedWhen,
  type OfToken,
  type RequestCount,
  shareByToken,
  today,
} from './token-counts.ts';

/**
 * Counts many requests against their tokens' minutes in one statement.
 *
 * @returns the count of each request, in the order of `asked`
 */
export async function countRequests(db: Db, asked: OfToken[]): Promise<RequestCount[]> {
  const shares = shareByToken(asked);
  const { rows } = await db.query<Omit<RequestCount, 'minute_used'> & { minute_requests: number }>(
    statement(
      'count-requests',
      sql`
        with ${countedRequests(shares)}
        select minute_requests, ${countedWhen}, day_messages as day_used
        from counted
        -- Does not wait for the disk: a crash of the database may lose some requests of a minute.
        cross join (select set_config('synchronous_commit', 'off', true)) as unflushed
        order by tenant_id, token_id`,
    ),
  );
  const counts = new Map<object, RequestCount>();
  shares.forEach(({ items }, index) => {
    const { minute_requests, ...count } = rows[index]!;
    const before = minute_requests - items.length;
    items.forEach((item, position) => {
      counts.set(item, { ...count, minute_used: before + position + 1 });
    });
  });
  return asked.map((item) => counts.get(item)!);
}

/**
 * Deletes the counts and the usage of old days.
 *
 * @param keptDays how many days to keep
 */
export async function deleteOldCounts(db: Db, keptDays: number): Promise<void> {
  await db.query(sql`
    delete from token_days where day < ${today} - ${keptDays}::int`);
  await db.query(sql`
    delete from token_usage where day < ${today} - ${keptDays}::int`);
}
