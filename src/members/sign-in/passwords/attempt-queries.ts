import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import { rowsOf } from '../../../platform/database/rows-of.ts';

/**
 * A counter of attempts with a limit of `max` per quarter of an hour. If it may be over, exceeding
 * it does not refuse the attempt and is only reported.
 */
export type AttemptCounter = { key: Buffer; max: number; mayBeOver?: boolean };

export type AttemptCount = {
  key: Buffer;
  is_over: boolean;
  may_be_over: boolean;
  reset_seconds: number;
};

/**
 * Counts an attempt with each counter, and reports which are over their limit. An attempt that is
 * refused because a counter has already reached its limit is not counted and writes no row.
 */
export async function countAttempt(db: Db, counters: AttemptCounter[]): Promise<AttemptCount[]> {
  const { rows } = await db.query<AttemptCount>(sql`
    with asked as (
      select * from ${rowsOf('asked', counters, {
        key: ['bytea', ({ key }) => key],
        max: ['int', ({ max }) => max],
        may_be_over: ['boolean', ({ mayBeOver }) => mayBeOver === true],
      })}
    ), spent as (
      select key, stored.since from asked join password_attempts stored using (key)
      where stored.attempts >= max and ${isInSpanOf(sql`now()`)}
    ), counted as (
      insert into password_attempts as stored (key, attempts, since)
      select key, 1, now() from asked
      where key not in (select key from spent)
        and not exists (select from spent join asked using (key) where not may_be_over)
      order by key
      on conflict (key) do update set
        attempts = case when ${isInSpanOf(sql`excluded.since`)} then stored.attempts + 1 else 1 end,
        since = case when ${isInSpanOf(sql`excluded.since`)} then stored.since else excluded.since end
      returning key, attempts, since
    ), found as (
      select key, null as attempts, since from spent
      union all
      select key, attempts, since from counted
    )
    select key, coalesce(attempts > max, true) as is_over, may_be_over,
           ceil(extract(epoch from since + interval '15 minutes' - now()))::int as reset_seconds
    from found join asked using (key)`);
  return rows;
}

/** Whether the stored count belongs to the current quarter of an hour. */
function isInSpanOf(at: Sql): Sql {
  // A count that begins further in the future is from before the clock was set back.
  return sql`(stored.since > ${at} - interval '15 minutes' and stored.since < ${at} + interval '15 minutes')`;
}

/** Uncounts an attempt. */
export async function uncountAttempt(db: Db, keys: Buffer[]): Promise<void> {
  await db.query(sql`
    update password_attempts set attempts = attempts - 1
    where key = any(${keys}::bytea[]) and attempts > 0`);
}
