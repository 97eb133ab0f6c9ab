import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { queueHeads } from '../../platform/database/queue-heads.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { wakeDeliverers } from '../record-events.ts';

/** A delivery that this process has in hand, with what it needs to make the call. */
export type ClaimedDelivery = {
  tenant_id: number;
  id: number;
  event: string;
  body: string;
  tries: number;
  created_at: Date;
  url: string;
  secret: Buffer;
  /** Null unless it signs still. */
  previous_secret: Buffer | null;
};

/**
 * Takes due deliveries in hand, at most so many of each tenant, the longest due first. A delivery
 * whose lease runs out (its process died) can be claimed again.
 *
 * Loops over the tenants asked for and reads from each one's end of the queue, so what waits for
 * others costs nothing. The claim itself need not survive a crash of the database, and does not
 * wait for the disk.
 *
 * @param lease how long they are this process's, and the id of its `ClaimerLock`
 * @param timing `firstDelayMs` of the schedule: how long a delivery waits for its first try
 */
export async function claimDeliveries(
  db: Db,
  asked: { tenantId: number; most: number }[],
  lease: { ms: number; claimer: number },
  timing: { firstDelayMs: number },
): Promise<ClaimedDelivery[]> {
  const { rows } = await db.query<ClaimedDelivery>(
    statement(
      'claim-deliveries',
      sql`
        with unflushed as materialized (
          select set_config('synchronous_commit', 'off', true)
        ), asked as (
          select * from ${rowsOf('asked', asked, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            most: ['int', ({ most }) => most],
          })}
        ), due as (
          select next.*, webhooks.url, webhooks.secret,
                 case when webhooks.previous_secret_until > now()
                   then webhooks.previous_secret end as previous_secret
          from unflushed
          cross join asked
          join webhooks on webhooks.tenant_id = asked.tenant_id and webhooks.off_since is null
          cross join lateral (
            select deliveries.tenant_id, deliveries.id
            from deliveries
            where deliveries.tenant_id = asked.tenant_id and deliveries.state = 'waiting'
              and deliveries.due_at <= now()
              and (deliveries.tries > 0 or deliveries.due_at <= now()
                     - ${timing.firstDelayMs}::float8 * interval '1 ms')
              and (deliveries.leased_until is null or deliveries.leased_until <= now())
            order by deliveries.due_at
            limit asked.most
            for update skip locked
          ) as next
        )
        update deliveries
        set leased_until = now() + ${lease.ms}::float8 * interval '1 ms',
            leased_by = ${lease.claimer}
        from due
        where deliveries.tenant_id = due.tenant_id and deliveries.id = due.id
        returning deliveries.tenant_id, deliveries.id, deliveries.event, deliveries.body,
                  deliveries.tries, deliveries.created_at,
                  due.url, due.secret, due.previous_secret`,
    ),
  );
  return rows;
}

/**
 * The tenants with something waiting, and in how many milliseconds the first of it is due (0 when
 * it is due now).
 */
export async function findQueues(db: Db): Promise<{ tenant_id: number; due_in_ms: number }[]> {
  const { rows } = await db.query<{ tenant_id: number; due_in_ms: number }>(
    statement(
      'find-queues',
      sql`
        with recursive ${queueHeads('deliveries', sql`state = 'waiting'`)}
        select heads.tenant_id,
               greatest(0, extract(epoch from heads.due_at - now()) * 1000)::float8 as due_in_ms
        from heads
        where (select off_since is null from webhooks
               where webhooks.tenant_id = heads.tenant_id)`,
    ),
  );
  return rows;
}

/** How one try of a delivery went. */
export type AttemptResult = {
  tenantId: number;
  id: number;
  /** Where it was sent: a webhook that has another address by now is not judged by it. */
  url: string;
  /** How many came before it since the beginning of the schedule. */
  tries: number;
  startedAt: Date;
  durationMs: number;
  /** null when no answer came. */
  status: number | null;
  /** Why it is no success; null for a success. */
  reason: string | null;
  answer: string | null;
  /** null when it is not to be tried again. */
  retryInMs: number | null;
  /** The receiver wants nothing more, ever. */
  gone: boolean;
};

/** Failures in a row, an hour apart or more, that a webhook must have besides before it is switched off. */
const offAfterFailures = 3;

/**
 * Writes down many attempts in one statement: the attempt itself, what becomes of the delivery,
 * and what becomes of the webhook. One that only failed for `offAfterMs`, and several times of late,
 * or whose receiver is gone, is switched off. A lost result (the database crashed just after) means
 * one try more, which receivers must bear anyhow, so this does not wait for the disk.
 *
 * @returns the tenants whose webhook was switched off by this
 */
export async function recordAttempts(
  db: Db,
  results: AttemptResult[],
  timing: { offAfterMs: number },
): Promise<{ tenant_id: number; off_reason: string }[]> {
  const failuresInRow = sql`
    case when failed_at > now() - interval '36 hours' then failures_in_row + 1 else 1 end`;
  const isLasting = sql`(
    not verdict.delivered and ${failuresInRow} >= ${offAfterFailures}
      and failing_since <= now() - ${timing.offAfterMs}::float8 * interval '1 ms')`;
  // Else it was put back to the beginning of the schedule meanwhile: then that holds, and not this failure.
  const isOfRound = sql`(deliveries.tries = result.tries)`;
  const isLast = sql`(result.next_try_at is null and ${isOfRound})`;
  const { rows } = await db.query<{ tenant_id: number; off_reason: string }>(
    statement(
      'record-attempts',
      sql`
        with unflushed as materialized (
          select set_config('synchronous_commit', 'off', true)
        ), result as (
          select result.*, reason is null as delivered,
                 now() + retry_in_ms * interval '1 ms' as next_try_at
          from ${rowsOf('result', results, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            id: ['bigint', ({ id }) => id],
            url: ['text', ({ url }) => url],
            tries: ['int', ({ tries }) => tries],
            started_at: ['timestamptz', (each) => each.startedAt.toISOString()],
            duration_ms: ['int', ({ durationMs }) => durationMs],
            status: ['int', ({ status }) => status],
            reason: ['text', ({ reason }) => reason],
            answer: ['text', ({ answer }) => answer],
            retry_in_ms: ['float8', ({ retryInMs }) => retryInMs],
            gone: ['boolean', ({ gone }) => gone],
          })}
          cross join unflushed
        ), updated as (
          update deliveries set
            state = case
              when result.delivered then 'delivered'::delivery_state
              when ${isLast} then 'failed'
              else 'waiting' end,
            tries = deliveries.tries + ${isOfRound}::int,
            attempts = deliveries.attempts + 1,
            due_at = case when ${isOfRound} then coalesce(result.next_try_at, deliveries.due_at)
              else deliveries.due_at end,
            leased_until = null,
            reason = result.reason,
            finished_at = case when result.delivered or ${isLast} then now() end
          from result
          where deliveries.tenant_id = result.tenant_id and deliveries.id = result.id
            -- Still waiting. Said so, PostgreSQL might go through the index of all that wait.
            and deliveries.state not in ('delivered', 'failed')
          returning deliveries.tenant_id, deliveries.id, deliveries.attempts,
                    case when deliveries.state = 'waiting' then deliveries.due_at end as next_try_at
        ), logged as (
          insert into delivery_attempts (tenant_id, delivery_id, number, started_at, duration_ms,
                                         status, reason, answer, next_try_at)
          select result.tenant_id, result.id, updated.attempts, result.started_at,
                 result.duration_ms, result.status, result.reason, result.answer,
                 updated.next_try_at
          from updated
          join result on result.tenant_id = updated.tenant_id and result.id = updated.id
          on conflict do nothing
        ), verdict as (
          select tenant_id, url, bool_or(delivered) as delivered, bool_or(gone) as gone,
                 max(reason) as reason
          from result group by tenant_id, url order by tenant_id
        )
        update webhooks set
          failing_since = case
            when verdict.delivered then null else coalesce(failing_since, now()) end,
          failures_in_row = case when verdict.delivered then 0 else ${failuresInRow} end,
          failed_at = case when not verdict.delivered then now() end,
          off_since = case when verdict.gone or ${isLasting} then now() end,
          off_reason = case
            when verdict.gone then 'The receiver answered 410 Gone.'
            when ${isLasting} then
              'Every try has failed since ' ||
              to_char(failing_since at time zone 'utc', 'YYYY-MM-DD HH24:MI') ||
              ' UTC. The last: ' || verdict.reason
            end
        from verdict
        where webhooks.tenant_id = verdict.tenant_id and webhooks.url = verdict.url
          and webhooks.off_since is null
          and case
            when verdict.gone then true
            when verdict.delivered then failing_since is not null
            -- One an hour is noted, so that a row is not written anew by each of thousands.
            else failed_at is null or failed_at <= now() - interval '1 hour'
            end
        returning webhooks.tenant_id, webhooks.off_reason`,
    ),
  );
  return rows.filter((row) => row.off_reason !== null);
}

/** The first key of the advisory locks that tell which claimers live; any number, ours alone. */
export const claimerLockClass = 731_905_266;

/**
 * Gives back what processes that are no more had in hand, before their leases run out. It goes
 * through all that waits, so it is for the start of a process.
 *
 * @returns how many
 */
export async function releaseAbandoned(db: Db): Promise<number> {
  const { rowCount } = await db.query(sql`
    update deliveries set leased_until = null
    where state = 'waiting' and leased_until > now()
      and leased_by <> all(array(
        select objid::bigint from pg_locks
        where locktype = 'advisory' and classid = ${claimerLockClass} and objsubid = 2 and granted
          and database = (select oid from pg_database where datname = current_database())
      ))`);
  return rowCount ?? 0;
}

/** Gives back what this process has in hand and will not finish. */
export async function releaseDeliveries(
  db: Db,
  held: { tenant_id: number; id: number }[],
): Promise<void> {
  await db.query(sql`
    with held as (
      select * from ${rowsOf('held', held, {
        tenant_id: ['bigint', ({ tenant_id }) => tenant_id],
        id: ['bigint', ({ id }) => id],
      })}
    )
    update deliveries set leased_until = null
    from held
    where deliveries.tenant_id = held.tenant_id and deliveries.id = held.id`);
}

/**
 * Makes deliveries of the oldest batches of events. Durable before anything is sent, so that a
 * delivery never comes again under another id.
 *
 * @returns how many batches there were, at most `most`
 */
export async function expandBatches(db: Db, most: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    statement(
      'expand-batches',
      sql`
        with batch as (
          delete from event_batches where (tenant_id, id) in (
            select tenant_id, id from event_batches order by id limit ${most}
            for update skip locked
          )
          returning *
        ), made as (
          insert into deliveries (tenant_id, event, body, created_at)
          select batch.tenant_id, batch.event,
                 '{"event":' || to_json(batch.event) || ',"data":' || item.data || '}',
                 batch.created_at
          from batch
          cross join json_array_elements(batch.data::json) with ordinality as item (data, position)
          order by batch.id, item.position
          returning ${wakeDeliverers}
        )
        select count(*) from batch`,
    ),
  );
  return rows[0]!.count;
}
