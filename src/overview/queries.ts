import sql from 'sql-template-tag';
import { numberProblem, numberProblemCode } from '../numbers/state/number-problem.ts';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';
import type { Code } from '../platform/errors/fault.ts';

/** Counts the messages of a day (UTC) with one outcome and, for failed ones, one error code; -1 for none. */
export type OutcomeRow = {
  /** `YYYY-MM-DD`. */
  day: string;
  outcome: Outcome;
  code: number;
  messages: number;
  title: string | null;
  last_at: Date;
};
export type Outcome = 'delivered' | 'on_the_way' | 'failed' | 'unknown' | 'received';

/**
 * Counts the outcomes of messages of the last `days` days (UTC), and returns today's day. It combines earlier
 * counts, changes since then, and the newest messages in one snapshot, so the result is exact, and costs only
 * the few minutes that are not rolled up yet.
 */
export async function countOutcomes(
  db: Db,
  tenantId: number,
  days: number,
): Promise<{ today: string; counted: OutcomeRow[] }> {
  const { rows } = await db.query<OutcomeRow & { today: string; day: string | null }>(
    statement(
      'count-outcomes',
      sql`
        with today as materialized (
          select (now() at time zone 'utc')::date
            as day
        ), rolled_up as materialized (
          select greatest(done_to, (select outcomes_counted_to from tenants where id = ${tenantId})) as up_to
          from message_walks where name = 'outcomes'
        ), gathered as (
          select day, outcome, code, messages, title, last_at
          from message_outcomes where tenant_id = ${tenantId}
          union all
          select day, outcome, code, change, title, at
          from message_outcome_changes
          where tenant_id = ${tenantId} and message_id <= (select up_to from rolled_up)
          union all
          select (messages.created_at at time zone 'utc')::date,
                 message_outcome(direction, coalesce(status, 'accepting')),
                 failure_code(coalesce(status, 'accepting'), error), 1,
                 case when status = 'failed' then error ->> 'title' end,
                 coalesce(failed_at, messages.created_at)
          from messages
          left join message_states as state
            on state.tenant_id = ${tenantId} and state.message_id = messages.id
          where messages.tenant_id = ${tenantId}
            and messages.id > (select up_to from rolled_up)
        ), counted as (
          select gathered.day, outcome, code, sum(messages)::bigint as messages,
                 max(title) as title, max(last_at) as last_at
          from gathered
          where gathered.day > (select day from today) - ${days}::int
          group by gathered.day, outcome, code
          having sum(messages) > 0
        )
        select to_char(today.day, 'YYYY-MM-DD') as today,
               to_char(counted.day, 'YYYY-MM-DD') as day,
               outcome, code, messages, title, last_at
        from today left join counted on true`,
    ),
  );
  const counted = rows.filter(({ day }) => day !== null) as OutcomeRow[];
  return { today: rows[0]!.today, counted };
}

/**
 * Finds which setup steps are done, and what needs attention.
 *
 * @param options.withSimulated whether numbers of the simulator count
 * @param options.silenceMinutes how long nothing may be heard after a send of a number
 */
export async function findSetup(
  db: Db,
  tenantId: number,
  { withSimulated, silenceMinutes }: { withSimulated: boolean; silenceMinutes: number },
) {
  const problem = numberProblem(silenceMinutes);
  const { rows } = await db.query<{
    number: boolean;
    token: boolean;
    message: boolean;
    problems: { phone: string; problem: string; problem_says: Code | null }[];
    seen_in_clear: string[];
  }>(sql`
    select
      exists (
        select from numbers where tenant_id = t.id and disconnected_at is null
          and (${withSimulated} or not simulator)) as number,
      t.api_access and exists (
        select from tokens where tenant_id = t.id and not internal and activated_at is not null
          and revoked_at is null and (expires_at is null or expires_at > now())) as token,
      exists (select from token_days where tenant_id = t.id and messages > 0)
        or exists (
          select from message_outcomes where tenant_id = t.id and outcome <> 'received')
        or exists (
          -- A tenant may have a million messages, all of them received.
          select from (
            select direction from messages where tenant_id = t.id order by id desc limit 1000
          ) as newest
          where direction = 'out') as message,
      coalesce((
        select json_agg(json_build_object(
          'phone', coalesce(display_phone_number, phone_number_id), 'problem', ${problem},
          'problem_says', ${numberProblemCode(silenceMinutes)}))
        from numbers
        where tenant_id = t.id and disconnected_at is null and ${problem} is not null
          and (${withSimulated} or not simulator)), '[]'
      ) as problems,
      coalesce((
        select json_agg(name order by seen_in_clear_at) from tokens
        where tenant_id = t.id and seen_in_clear_at is not null and revoked_at is null), '[]'
      ) as seen_in_clear
    from tenants t where t.id = ${tenantId}`);
  return rows[0]!;
}
