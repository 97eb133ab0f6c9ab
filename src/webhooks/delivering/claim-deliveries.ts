import sql from 'sql-template-tag';
import { claimerLockClass, locksWithId } from '../../platform/database/advisory-locks.ts';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';
import { queueHeads } from '../../platform/jobs/queue-heads.ts';
import { type Endpoint, endpointKey, readEndpointKey } from '../endpoint-key.ts';
import type { ClaimGrant } from './concurrency-limits.ts';

/** A delivery that this process has claimed, with the address and the secrets for the call. */
export type ClaimedDelivery = {
  tenant_id: number;
  webhook_id: number;
  id: number;
  event_id: number | null;
  event: string;
  due_at: Date;
  /** The person whose next delivery waits for this one; null if none does. */
  ordered_person: string | null;
  body: string;
  /** Attempts since the beginning of the schedule, which a redelivery restarts. */
  tries: number;
  created_at: Date;
  url: string;
  secret: Buffer;
  /** Null unless it still signs, for a day after a rotation. */
  previous_secret: Buffer | null;
  /** Additional headers, sealed. */
  headers: Buffer | null;
};

/**
 * Claims due deliveries, up to the limit of each endpoint, the longest due first. A delivery whose lease has
 * expired, because its process died, can be claimed again.
 *
 * Reads only the queue of each endpoint, from the time of its grant on, so deliveries of others cost nothing. A claim
 * need not survive a crash of the database, so its commit does not wait for the disk.
 *
 * @param lease the duration of the lease, and the id of this process's `ClaimerLock`
 * @param timing `firstDelayMs` is how long a delivery waits for its first attempt
 */
export async function claimDeliveries(
  db: Db,
  grants: ClaimGrant[],
  lease: { ms: number; claimer: number },
  timing: { firstDelayMs: number },
): Promise<ClaimedDelivery[]> {
  const granted = grants.map(({ endpoint, limit, dueFrom }) => ({
    of: readEndpointKey(endpoint)!,
    limit,
    dueFrom,
  }));
  const { rows } = await db.query<ClaimedDelivery>(
    statement(
      'claim-deliveries',
      sql`
        with unflushed as materialized (
          select set_config('synchronous_commit', 'off', true)
        ), granted as (
          select * from ${rowsOf('granted', granted, {
            tenant_id: ['bigint', ({ of }) => of.tenantId],
            webhook_id: ['smallint', ({ of }) => of.webhookId],
            max_deliveries: ['int', ({ limit }) => limit],
            due_from: ['timestamptz', ({ dueFrom }) => dueFrom ?? '-infinity'],
          })}
        ), due as (
          select next.*, webhooks.url, webhooks.secret, webhooks.headers,
                 case when webhooks.previous_secret_until > now()
                   then webhooks.previous_secret end as previous_secret
          from unflushed
          cross join granted
          join webhooks on webhooks.tenant_id = granted.tenant_id and webhooks.id = granted.webhook_id
            and ${isSending} and not ${isHeld(sql`granted.tenant_id`)}
          cross join lateral (
            select deliveries.tenant_id, deliveries.id
            from deliveries
            where deliveries.tenant_id = granted.tenant_id and deliveries.webhook_id = granted.webhook_id
              and deliveries.state = 'waiting'
              and deliveries.due_at >= granted.due_from
              and deliveries.due_at <= now()
              and (deliveries.tries > 0 or deliveries.due_at <= now()
                     - ${timing.firstDelayMs}::float8 * interval '1 ms')
              and (deliveries.leased_until is null or deliveries.leased_until <= now())
              and not (deliveries.in_order and ${isBehindAnother})
            order by deliveries.due_at
            limit granted.max_deliveries
            for update skip locked
          ) as next
        )
        update deliveries
        set leased_until = now() + ${lease.ms}::float8 * interval '1 ms',
            leased_by = ${lease.claimer}
        from due
        where deliveries.tenant_id = due.tenant_id and deliveries.id = due.id
        returning deliveries.tenant_id, deliveries.webhook_id, deliveries.id, deliveries.event_id,
                  deliveries.event, deliveries.due_at, deliveries.body, deliveries.tries,
                  case when deliveries.in_order then deliveries.person end as ordered_person, deliveries.created_at,
                  due.url, due.secret, due.previous_secret, due.headers`,
    ),
  );
  return rows;
}

/**
 * Whether an earlier delivery of the person is due or is being retried. The transactions that recorded the two may have
 * overlapped, so that both became due.
 */
const isBehindAnother = sql`coalesce((
  select true from deliveries as earlier
  where earlier.tenant_id = deliveries.tenant_id and earlier.webhook_id = deliveries.webhook_id
    and earlier.person = deliveries.person and earlier.in_order and earlier.state = 'waiting'
    and earlier.due_at < 'infinity' and earlier.id < deliveries.id
  limit 1
), false)`;

/** A condition on `webhooks`: neither off nor paused. */
const isSending = sql`webhooks.off_since is null and webhooks.paused_since is null`;

/**
 * Finds the endpoints with waiting deliveries, and in how many milliseconds the first one of each is due (0 if it
 * is due now).
 */
export async function findQueues(db: Db): Promise<{ endpoint: string; dueInMs: number }[]> {
  type Row = { tenant_id: number; webhook_id: number; due_in_ms: number };
  const { rows } = await db.query<Row>(
    statement(
      'find-queues',
      sql`
        with recursive ${queueHeads('deliveries', sql`state = 'waiting'`, ['tenant_id', 'webhook_id'])}
        select heads.tenant_id, heads.webhook_id,
               greatest(0, extract(epoch from heads.due_at - now()) * 1000)::float8 as due_in_ms
        from heads
        where heads.due_at < 'infinity' and (select ${isSending} from webhooks
               where webhooks.tenant_id = heads.tenant_id and webhooks.id = heads.webhook_id)`,
    ),
  );
  return rows.map((row) => ({
    endpoint: endpointKey(endpointOf(row)),
    dueInMs: row.due_in_ms,
  }));
}

/** The endpoint of a row of `deliveries`. */
export function endpointOf(row: { tenant_id: number; webhook_id: number }): Endpoint {
  return { tenantId: row.tenant_id, webhookId: row.webhook_id };
}

/**
 * Ends the leases of processes that died, before they expire. It scans all waiting deliveries, so it is only
 * for the start of a process.
 *
 * @returns how many deliveries it released
 */
export async function releaseAbandoned(db: Db): Promise<number> {
  const { rowCount } = await db.query(sql`
    update deliveries set leased_until = null
    where state = 'waiting' and leased_until > now()
      and leased_by <> all(array(
        select objid::bigint from ${locksWithId} as locks where classid = ${claimerLockClass}
      ))`);
  return rowCount ?? 0;
}

/** Ends the leases of deliveries that this process will not finish. */
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
