import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { moment } from '../../platform/database/moment.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { queueHeads } from '../../platform/database/queue-heads.ts';
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
  timing: { firstDelayMs: number; clockOffsetMs: number },
): Promise<ClaimedDelivery[]> {
  const { rows } = await db.query<ClaimedDelivery>(
    prepared(
      'claim-deliveries',
      sql`
        with moment as materialized (
          select ${moment(timing.clockOffsetMs)} as at,
                 set_config('synchronous_commit', 'off', true)
        ), asked as (
          select * from unnest(${asked.map((each) => each.tenantId)}::bigint[],
                               ${asked.map((each) => each.most)}::int[]) as asked (tenant_id, most)
        ), due as (
          select next.*, webhooks.url, webhooks.secret,
                 case when webhooks.previous_secret_until > moment.at
                   then webhooks.previous_secret end as previous_secret,
                 moment.at
          from moment
          cross join asked
          join webhooks on webhooks.tenant_id = asked.tenant_id and webhooks.off_since is null
          cross join lateral (
            select deliveries.tenant_id, deliveries.id
            from deliveries
            where deliveries.tenant_id = asked.tenant_id and deliveries.state = 'waiting'
              and deliveries.due_at <= moment.at
              and (deliveries.tries > 0 or deliveries.due_at <= moment.at
                     - ${timing.firstDelayMs}::float8 * interval '1 ms')
              and (deliveries.leased_until is null or deliveries.leased_until <= moment.at)
            order by deliveries.due_at
            limit asked.most
            for update skip locked
          ) as next
        )
        update deliveries
        set leased_until = due.at + ${lease.ms}::float8 * interval '1 ms',
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
export async function findQueues(
  db: Db,
  clockOffsetMs: number,
): Promise<{ tenant_id: number; due_in_ms: number }[]> {
  const { rows } = await db.query<{ tenant_id: number; due_in_ms: number }>(
    prepared(
      'find-queues',
      sql`
        with recursive ${queueHeads('deliveries', sql`state = 'waiting'`)}
        select heads.tenant_id,
               greatest(0, extract(epoch from heads.due_at - now()) * 1000
                           - ${clockOffsetMs}::float8)::float8 as due_in_ms
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
  timing: { offAfterMs: number; clockOffsetMs: number },
): Promise<{ tenant_id: number; off_reason: string }[]> {
  const failuresInRow = sql`
    case when failed_at > moment.at - interval '36 hours' then failures_in_row + 1 else 1 end`;
  const isLasting = sql`(
    not verdict.delivered and ${failuresInRow} >= ${offAfterFailures}
      and failing_since <= moment.at - ${timing.offAfterMs}::float8 * interval '1 ms')`;
  // Else it was put back to the beginning of the schedule meanwhile: then that holds, and not this failure.
  const isOfRound = sql`(deliveries.tries = result.tries)`;
  const isLast = sql`(result.next_try_at is null and ${isOfRound})`;
  const { rows } = await db.query<{ tenant_id: number; off_reason: string }>(
    prepared(
      'record-attempts',
      sql`
        with moment as materialized (
          select ${moment(timing.clockOffsetMs)} as at,
                 set_config('synchronous_commit', 'off', true)
        ), result as (
          select *, reason is null as delivered,
                 (select at from moment) + retry_in_ms * interval '1 ms' as next_try_at
          from unnest(${results.map((each) => each.tenantId)}::bigint[],
                      ${results.map((each) => each.id)}::bigint[],
                      ${results.map((each) => each.url)}::text[],
                      ${results.map((each) => each.tries)}::int[],
                      ${results.map((each) => each.startedAt.toISOString())}::timestamptz[],
                      ${results.map((each) => each.durationMs)}::int[],
                      ${results.map((each) => each.status)}::int[],
                      ${results.map((each) => each.reason)}::text[],
                      ${results.map((each) => each.answer)}::text[],
                      ${results.map((each) => each.retryInMs)}::float8[],
                      ${results.map((each) => each.gone)}::boolean[])
               as result (tenant_id, id, url, tries, started_at, duration_ms, status, reason, answer,
                          retry_in_ms, gone)
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
            finished_at = case when result.delivered or ${isLast} then moment.at end
          from result, moment
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
            when verdict.delivered then null else coalesce(failing_since, moment.at) end,
          failures_in_row = case when verdict.delivered then 0 else ${failuresInRow} end,
          failed_at = case when not verdict.delivered then moment.at end,
          off_since = case when verdict.gone or ${isLasting} then moment.at end,
          off_reason = case
            when verdict.gone then 'The receiver answered 410 Gone.'
            when ${isLasting} then
              'Every try has failed since ' ||
              to_char(failing_since at time zone 'utc', 'YYYY-MM-DD HH24:MI') ||
              ' UTC. The last: ' || verdict.reason
            end
        from verdict, moment
        where webhooks.tenant_id = verdict.tenant_id and webhooks.url = verdict.url
          and webhooks.off_since is null
          and case
            when verdict.gone then true
            when verdict.delivered then failing_since is not null
            -- One an hour is noted, so that a row is not written anew by each of thousands.
            else failed_at is null or failed_at <= moment.at - interval '1 hour'
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
export async function releaseAbandoned(db: Db, clockOffsetMs: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    update deliveries set leased_until = null
    where state = 'waiting' and leased_until > ${moment(clockOffsetMs)}
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
      select * from unnest(${held.map((each) => each.tenant_id)}::bigint[],
                           ${held.map((each) => each.id)}::bigint[]) as held (tenant_id, id)
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
    prepared(
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
