import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';

/** How long outcomes are kept, in days before today: longer than they are shown. */
const retentionDays = 20;

/**
 * Locks the state of the roll-up for this transaction.
 *
 * @returns undefined if another transaction holds it; `settled` if no running transaction can still add or
 *   change a message up to the noted one unseen
 */
export async function lockRollUp(
  tx: Db,
): Promise<{ rolled_up_to: number; noted_id: number; settled: boolean } | undefined> {
  const { rows } = await tx.query<{ rolled_up_to: number; noted_id: number; settled: boolean }>(sql`
    select rolled_up_to, noted_id,
           coalesce(pg_snapshot_xmin(pg_current_snapshot()) >= horizon, false) as settled
    from message_roll_up for update skip locked`);
  return rows[0];
}

/**
 * Notes the newest message once all before it are counted and, after a while, the next transaction id as the
 * horizon. A horizon in the future is from another database server, whose backup was restored here.
 */
export async function moveNote(tx: Db, settleMs: number): Promise<void> {
  await tx.query(sql`
    with now as materialized (
      select rolled_up_to >= noted_id as is_new,
             case when is_called then last_value else 0 end as newest,
             pg_snapshot_xmax(pg_current_snapshot()) as next_xid
      from message_roll_up cross join messages_id_seq
    )
    update message_roll_up set
      noted_id = case when is_new then newest else noted_id end,
      noted_at = case when is_new then clock_timestamp() else noted_at end,
      horizon = case
        when is_new then null
        when horizon <= next_xid then horizon
        when noted_at <= clock_timestamp() - ${settleMs}::float8 * interval '1 ms' then next_xid
      end
    from now
    where not is_new or newest > noted_id`);
}

/**
 * Adds the messages between two ids (the first exclusive) to the outcomes of their days, with all changes of
 * earlier messages. One statement, so that messages and their recorded changes are read in one snapshot: a
 * message that is counted now or later includes its changes already.
 */
export async function addOutcomes(tx: Db, from: number, to: number): Promise<void> {
  // Uses indexes, even if the plan was made while the tables were small.
  await tx.query(sql`select set_config('enable_seqscan', 'off', true),
    set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`);
  await tx.query(sql`
    with consumed as (
      delete from message_outcome_changes returning *
    ), gathered as (
      select tenant_id, day, outcome, code, change::bigint as messages, title, at
      from consumed where message_id <= ${from}
      union all
      select message.tenant_id, (message.created_at at time zone 'utc')::date,
             message_outcome(direction, status), failure_code(status, error), 1,
             case when status = 'failed' then error ->> 'title' end,
             coalesce(failed_at, message.created_at)
      from tenants
      cross join lateral (
        select * from messages
        where messages.tenant_id = tenants.id and messages.id > ${from} and messages.id <= ${to}
      ) as message
    ), summed as (
      select tenant_id, day, outcome, code, sum(messages) as messages, max(title) as title,
             max(at) as last_at
      from gathered
      where day >= (now() at time zone 'utc')::date - ${retentionDays}::int
        and exists (select from tenants where tenants.id = tenant_id)
      group by tenant_id, day, outcome, code
      order by tenant_id, day, outcome, code
    ), added as (
      insert into message_outcomes as kept
      select * from summed
      on conflict (tenant_id, day, outcome, code) do update set
        messages = kept.messages + excluded.messages,
        title = coalesce(excluded.title, kept.title),
        last_at = greatest(kept.last_at, excluded.last_at)
    ), outdated as (
      delete from message_outcomes
      where day < (now() at time zone 'utc')::date - ${retentionDays + 1}::int
    )
    update message_roll_up set rolled_up_to = ${to}`);
}
