import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { type Fault, fault } from '../../platform/errors/fault.ts';
import { notifyTopic } from '../../tenants/watched-topics.ts';

/** The result of one attempt of a delivery. */
export type AttemptResult = {
  tenantId: number;
  webhookId: number;
  id: number;
  /** The address it was sent to. If the webhook has another address by now, its state does not change. */
  url: string;
  /** Earlier attempts since the beginning of the schedule. */
  tries: number;
  startedAt: Date;
  durationMs: number;
  /** `gone`: the receiver responded with 410, so its webhook is switched off. */
  outcome: 'delivered' | 'failed' | 'gone';
  /** null if no response arrived. */
  status: number | null;
  /** Why it failed; null if it was delivered. */
  reason: Fault | null;
  response: string | null;
  /** null if there is no further attempt. */
  retryInMs: number | null;
};

type SwitchedOff = { tenant_id: number; name: string; off_reason: string };

/** A webhook is not switched off before this many failures in a row, at least an hour apart. */
const offAfterFailures = 3;

const gone = fault('receiver_gone', 'The receiver responded with 410 Gone.');

/** Its values are filled in by PostgreSQL. */
const lasting = fault(
  'every_attempt_failed',
  'Every attempt has failed since {since} UTC. The last: {last}',
  { since: '{since}', last: '{last}' },
);

/**
 * Stores many attempts in one statement, with the new states of their deliveries and webhooks. A webhook is
 * switched off if its receiver is gone, or if all attempts of the last `offAfterMs` failed, several of them
 * recently. The commit does not wait for the disk: a result that is lost in a crash of the database means one
 * more attempt, and receivers must accept repeated deliveries anyway.
 *
 * @returns the webhooks that it switched off
 */
export async function recordAttempts(
  db: Db,
  results: AttemptResult[],
  timing: { offAfterMs: number },
): Promise<SwitchedOff[]> {
  const failuresInRow = sql`
    case when failed_at > now() - interval '36 hours' then failures_in_row + 1 else 1 end`;
  const isLasting = sql`(
    not verdict.is_delivered and ${failuresInRow} >= ${offAfterFailures}
      and failing_since <= now() - ${timing.offAfterMs}::float8 * interval '1 ms')`;
  const since = sql`to_char(failing_since at time zone 'utc', 'YYYY-MM-DD HH24:MI')`;
  // False if a redelivery has restarted the schedule since. Then this attempt does not advance it.
  const isOfRound = sql`(deliveries.tries = result.tries)`;
  const isLast = sql`(result.next_try_at is null and ${isOfRound})`;
  const { rows } = await db.query<SwitchedOff>(
    statement(
      'record-attempts',
      sql`
        with unflushed as materialized (
          select set_config('synchronous_commit', 'off', true)
        ), result as (
          select result.*, now() + retry_in_ms * interval '1 ms' as next_try_at
          from ${rowsOf('result', results, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            webhook_id: ['smallint', ({ webhookId }) => webhookId],
            id: ['bigint', ({ id }) => id],
            url: ['text', ({ url }) => url],
            tries: ['int', ({ tries }) => tries],
            started_at: ['timestamptz', (each) => each.startedAt.toISOString()],
            duration_ms: ['int', ({ durationMs }) => durationMs],
            outcome: ['text', ({ outcome }) => outcome],
            status: ['int', ({ status }) => status],
            reason: ['text', ({ reason }) => reason?.text],
            reason_says: ['jsonb', ({ reason }) => reason && JSON.stringify(reason)],
            response: ['text', ({ response }) => response],
            retry_in_ms: ['float8', ({ retryInMs }) => retryInMs],
          })}
          cross join unflushed
        ), updated as (
          update deliveries set
            state = case
              when result.outcome = 'delivered' then 'delivered'::delivery_state
              when ${isLast} then 'failed'
              else 'waiting' end,
            tries = deliveries.tries + ${isOfRound}::int,
            attempts = deliveries.attempts + 1,
            due_at = case when ${isOfRound} then coalesce(result.next_try_at, deliveries.due_at)
              else deliveries.due_at end,
            leased_until = null,
            reason = result.reason,
            finished_at = case when result.outcome = 'delivered' or ${isLast} then now() end
          from result
          where deliveries.tenant_id = result.tenant_id and deliveries.id = result.id
            -- The same as state = 'waiting', for which PostgreSQL might scan the index of all waiting deliveries.
            and deliveries.state not in ('delivered', 'failed')
          returning deliveries.tenant_id, deliveries.id, deliveries.attempts,
                    case when deliveries.state = 'waiting' then deliveries.due_at end as next_try_at,
                    ${notifyTopic('webhook', sql`deliveries.tenant_id`)}
        ), logged as (
          insert into delivery_attempts (tenant_id, delivery_id, number, started_at, duration_ms,
                                         status, reason, reason_says, answer, next_try_at)
          select result.tenant_id, result.id, updated.attempts, result.started_at,
                 result.duration_ms, result.status, result.reason, result.reason_says,
                 result.response, updated.next_try_at
          from updated
          join result on result.tenant_id = updated.tenant_id and result.id = updated.id
          on conflict do nothing
        ), verdict as (
          select tenant_id, webhook_id, url, bool_or(outcome = 'delivered') as is_delivered,
                 bool_or(outcome = 'gone') as is_gone, max(reason) as reason,
                 (array_agg(reason_says order by reason desc nulls last))[1] as reason_says
          from result group by tenant_id, webhook_id, url order by tenant_id, webhook_id
        )
        update webhooks set
          failing_since = case
            when verdict.is_delivered then null else coalesce(failing_since, now()) end,
          failures_in_row = case when verdict.is_delivered then 0 else ${failuresInRow} end,
          failed_at = case when not verdict.is_delivered then now() end,
          off_since = case when verdict.is_gone or ${isLasting} then now() end,
          off_reason = case
            when verdict.is_gone then ${gone.text}
            when ${isLasting} then
              replace(replace(${lasting.text}, '{since}', ${since}), '{last}', verdict.reason)
            end,
          off_says = case
            when verdict.is_gone then ${JSON.stringify(gone)}::jsonb
            when ${isLasting} then jsonb_build_object(
              'code', ${lasting.code}::text,
              'text', replace(replace(${lasting.text}, '{since}', ${since}), '{last}', verdict.reason),
              'values', jsonb_build_object('since', ${since}, 'last',
                coalesce(verdict.reason_says, to_jsonb(verdict.reason))))
            end
        from verdict
        where webhooks.tenant_id = verdict.tenant_id and webhooks.id = verdict.webhook_id
          and webhooks.url = verdict.url
          and webhooks.off_since is null
          and case
            when verdict.is_gone then true
            when verdict.is_delivered then failing_since is not null
            -- Recorded once an hour, so that thousands of failures do not each rewrite the row.
            else failed_at is null or failed_at <= now() - interval '1 hour'
            end
        returning webhooks.tenant_id, webhooks.name, webhooks.off_reason`,
    ),
  );
  return rows.filter((row) => row.off_reason !== null);
}
