import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { moment } from '../platform/database/moment.ts';
import { type Rows, rowOf, rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';
import {
  countedRequests,
  countedWhen,
  type OfToken,
  type RequestCount,
  shareByToken,
  type TokenShare,
} from './token-counts.ts';

type Shares = { shares: TokenShare<OfToken>[]; clockOffsetMs: number };

const countShares = statement<Shares>('count-requests', ({ shares, clockOffsetMs }) =>
  countsOf(rowsOf(shares), moment(clockOffsetMs)),
);

const countShare = statement<Shares>('count-requests-of-one', ({ shares, clockOffsetMs }) =>
  countsOf(rowOf(shares.as(([only]) => only!)), moment(clockOffsetMs)),
);

function countsOf(shares: Rows<TokenShare<OfToken>>, at: Sql): Sql {
  return sql`
    with ${countedRequests(shares, at)}
    select minute_requests, ${countedWhen(at)}, day_messages as day_used
    from counted
    -- Nobody waits for the disk: a crash of the database may forget some requests of a minute.
    cross join (select set_config('synchronous_commit', 'off', true)) as commit
    order by tenant_id, token_id`;
}

/**
 * Counts many requests against their tokens' minutes in one statement and answers in their order.
 */
export async function countRequests(
  db: Db,
  asked: OfToken[],
  clockOffsetMs: number,
): Promise<RequestCount[]> {
  const shares = shareByToken(asked);
  const count = shares.length === 1 ? countShare : countShares;
  const { rows } = await db.query<Omit<RequestCount, 'minute_used'> & { minute_requests: number }>(
    count({ shares, clockOffsetMs }),
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
