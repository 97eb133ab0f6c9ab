import sql from 'sql-template-tag';
import type { Database, Db } from '../platform/database/database.ts';

/** The workers that go through the messages of all tenants. */
export type Walk = 'outcomes' | 'abandoned';

/** The maximum of ids that one step covers. */
const idsAtOnce = 50_000;

/**
 * Takes the next step of a walk through the messages of all tenants in the order of their ids. Each message
 * is covered once, after `settleMs` and when no transaction can still add an earlier one. Any number of
 * processes may call this; only one takes a step at a time.
 *
 * @param visit works on the messages after the first id up to the second one, in the transaction of the step;
 *   the two are equal if there are none
 * @returns whether the walk can go on immediately
 */
export async function walkMessages(
  db: Database,
  walk: Walk,
  settleMs: number,
  visit: (tx: Db, from: number, to: number) => Promise<void>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const state = await lockWalk(tx, walk);
    if (!state) return false;
    const { done_to: from, noted_id: noted } = state;
    const to = state.settled ? Math.min(noted, from + idsAtOnce) : from;
    await visit(tx, from, to);
    await advance(tx, walk, to, settleMs);
    return to > from && to < noted;
  });
}

/**
 * Locks the state of a walk for this transaction.
 *
 * @returns undefined if another transaction holds it; `settled` if no running transaction can still add or
 *   change a message up to the noted one unseen
 */
async function lockWalk(
  tx: Db,
  walk: Walk,
): Promise<{ done_to: number; noted_id: number; settled: boolean } | undefined> {
  const { rows } = await tx.query<{ done_to: number; noted_id: number; settled: boolean }>(sql`
    select done_to, noted_id,
           coalesce(pg_snapshot_xmin(pg_current_snapshot()) >= horizon, false) as settled
    from message_walks where name = ${walk} for update skip locked`);
  return rows[0];
}

/**
 * Stores the progress, notes the newest message once all before it are done and, after a while, the next
 * transaction id as the horizon. A horizon in the future is from another database server, whose backup was
 * restored here.
 */
async function advance(tx: Db, walk: Walk, to: number, settleMs: number): Promise<void> {
  await tx.query(
    sql`update message_walks set done_to = ${to} where name = ${walk} and done_to < ${to}`,
  );
  await tx.query(sql`
    with now as materialized (
      select done_to >= noted_id as is_new,
             case when is_called then last_value else 0 end as newest,
             pg_snapshot_xmax(pg_current_snapshot()) as next_xid
      from message_walks cross join messages_id_seq
      where name = ${walk}
    )
    update message_walks set
      noted_id = case when is_new then newest else noted_id end,
      -- It is later than now if the clock was ahead.
      noted_at = case when is_new then now() else least(noted_at, now()) end,
      horizon = case
        when is_new then null
        when horizon <= next_xid then horizon
        when noted_at <= now() - ${settleMs}::float8 * interval '1 ms' then next_xid
      end
    from now
    where name = ${walk} and (not is_new or newest > noted_id)`);
}
