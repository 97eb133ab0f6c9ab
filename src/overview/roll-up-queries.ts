import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { longestPeriod } from '../platform/values/period.ts';

/** How long outcomes are kept, in days before today: longer than they are shown. */
const retentionDays = longestPeriod + 10;

/**
 * Adds the messages between two ids (the first exclusive) to the outcomes of their days, with all changes of
 * earlier messages. Messages that a tenant brought along from another installation were counted there. One
 * statement, so that messages and their recorded changes are read in one snapshot: a message that is counted now or
 * later includes its changes already.
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
      from consumed join tenants on tenants.id = tenant_id
      where message_id <= greatest(${from}, outcomes_counted_to)
      union all
      ${outcomesOf(sql`
        messages.id > ${from} and messages.id <= ${to} and messages.id > coalesce(
          (select outcomes_counted_to from tenants where tenants.id = messages.tenant_id), 0)`)}
    ), ${summedAndAdded}
    select count(*) from summed`);
}

/** The outcomes of messages that pass a condition. */
export function outcomesOf(condition: Sql): Sql {
  return sql`
      select message.tenant_id, (message.created_at at time zone 'utc')::date as day,
             message_outcome(direction, status) as outcome, failure_code(status, error) as code,
             1::bigint as messages,
             case when status = 'failed' then error ->> 'title' end as title,
             coalesce(failed_at, message.created_at) as at
      from (
        select messages.tenant_id, messages.created_at, direction, error, failed_at,
               coalesce(status, 'accepting') as status
        from messages
        left join message_states as state
          on state.tenant_id = messages.tenant_id and state.message_id = messages.id
        where ${condition}
      ) as message`;
}

/** Adds the rows of `gathered` to the stored outcomes. */
export const summedAndAdded = sql`summed as (
      select tenant_id, day, outcome, code, sum(messages) as messages, max(title) as title,
             max(at) as last_at
      from gathered
      where day >= (now() at time zone 'utc')::date - ${retentionDays}::int
        and exists (select from tenants where tenants.id = tenant_id)
      group by tenant_id, day, outcome, code
      order by tenant_id, day, outcome, code
    ), added as (
      insert into message_outcomes as stored
      select * from summed
      on conflict (tenant_id, day, outcome, code) do update set
        messages = stored.messages + excluded.messages,
        title = coalesce(excluded.title, stored.title),
        last_at = greatest(stored.last_at, excluded.last_at)
    )`;

/** Deletes outcomes after their retention time. They are few, but the statement reads all of them. */
export async function deleteOldOutcomes(db: Db): Promise<void> {
  await db.query(sql`
    delete from message_outcomes
    where day < (now() at time zone 'utc')::date - ${retentionDays + 1}::int`);
}
