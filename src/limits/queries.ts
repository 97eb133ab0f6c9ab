import sql from 'sql-template-tag';
import { type Db, prepared } from '../platform/database.ts';
import { countedMinute, type RequestCount, resets } from './counted-minute.ts';

/**
 * Counts many requests against their tokens' minutes in one statement and answers in their order.
 * Exact with any number of processes: each token's row is raised once by its share of the batch,
 * and the requests of the share take the places below the new count.
 */
export async function countRequests(
  db: Db,
  asked: { tenantId: number; tokenId: number }[],
  clockOffsetMs: number,
): Promise<RequestCount[]> {
  const { rows } = await db.query<RequestCount>(
    prepared(
      'count-requests',
      sql`
        with moment as (
          select now() + ${clockOffsetMs}::float8 * interval '1 ms' as at
        ), asked as (
          select *
          from unnest(${asked.map((each) => each.tenantId)}::bigint[],
                      ${asked.map((each) => each.tokenId)}::bigint[])
               with ordinality as asked (tenant_id, token_id, position)
        ), ${countedMinute}
        select counted.minute_used::int, ${resets},
               coalesce(day.messages, 0) as day_used
        from counted
        cross join moment
        left join token_days day
          on day.tenant_id = counted.tenant_id and day.token_id = counted.token_id
          and day.day = (moment.at at time zone 'utc')::date
        order by counted.position`,
    ),
  );
  return rows;
}
