import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { wakeDeliverers } from '../record-events.ts';
import type { DeliveryId } from '../webhook-id.ts';

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

export type DeliveryRow = {
  id: number;
  event: string;
  state: DeliveryState;
  reason: string | null;
  attempts: number;
  created_at: Date;
  /** Of a waiting one. */
  next_try_at: Date | null;
  finished_at: Date | null;
};

export type AttemptRow = {
  delivery_id: number;
  number: number;
  started_at: Date;
  duration_ms: number;
  status: number | null;
  reason: string | null;
  answer: string | null;
  next_try_at: Date | null;
};

/** Every bound that is given must hold. */
type Bounds = Partial<DeliveryId> & {
  /** Recorded from then on, and before then. */
  since?: Date;
  until?: Date;
};

export type DeliveryFilter = Bounds & { event?: string; state?: DeliveryState };

/** What to deliver again. With an id, that one, whatever its state. */
export type Redelivery = Bounds & {
  /** Only those that failed for good. */
  failed?: boolean;
};

/** Where a page of the log ended: the next one begins after it. In microseconds since 1970. */
export type DeliveryCursor = { createdUs: number; id: number };

/**
 * A tenant's deliveries, the newest first.
 *
 * @param after the `cursor` of the last row of the page before
 */
export async function listDeliveries(
  db: Db,
  tenantId: number,
  filter: DeliveryFilter,
  most: number,
  after?: DeliveryCursor,
): Promise<(DeliveryRow & { cursor: DeliveryCursor })[]> {
  const { rows } = await db.query<DeliveryRow & { created_us: number }>(sql`
    select id, event, state, reason, attempts, created_at, finished_at,
           case when state = 'waiting' then due_at end as next_try_at,
           (extract(epoch from created_at) * 1000000)::bigint as created_us
    from deliveries
    where tenant_id = ${tenantId} and ${isWithin(filter)}
      and (${filter.event ?? null}::text is null or event = ${filter.event ?? null})
      and (${filter.state ?? null}::text is null or state = ${filter.state ?? null})
      and (created_at, id) < (coalesce(timestamptz 'epoch' + ${after?.createdUs ?? null}::float8
                                         * interval '1 microsecond', 'infinity'),
                              coalesce(${after?.id ?? null}::bigint, 0))
    order by created_at desc, id desc
    limit ${most}`);
  return rows.map(({ created_us: createdUs, ...row }) => ({
    ...row,
    cursor: { createdUs, id: row.id },
  }));
}

function isWithin({ id, recordedMs, since, until }: Bounds): Sql {
  return sql`
    (${id ?? null}::bigint is null or id = ${id ?? null})
      -- A webhook-id has the milliseconds in it; what comes after those is cut off there.
      and (${recordedMs ?? null}::numeric is null
           or floor(extract(epoch from created_at) * 1000) = ${recordedMs ?? null})
      and created_at >= coalesce(${since ?? null}::timestamptz, '-infinity')
      and created_at < coalesce(${until ?? null}::timestamptz, 'infinity')`;
}

/** Every attempt of these deliveries, the first one first. */
export async function listAttempts(
  db: Db,
  tenantId: number,
  deliveryIds: number[],
): Promise<AttemptRow[]> {
  const { rows } = await db.query<AttemptRow>(sql`
    select delivery_id, number, started_at, duration_ms, status, reason, answer, next_try_at
    from delivery_attempts
    where tenant_id = ${tenantId} and delivery_id = any(${deliveryIds}::bigint[])
    order by delivery_id, number`);
  return rows;
}

/**
 * Puts deliveries back at the beginning of the schedule, due now; `after` is the highest id of the
 * chunk before. One that a process has in hand keeps its lease.
 *
 * @returns their ids
 */
export async function requeueDeliveries(
  db: Db,
  tenantId: number,
  asked: Redelivery,
  after: number,
  most: number,
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(sql`
    with chosen as (
      select id from deliveries
      where tenant_id = ${tenantId} and id > ${after} and ${isWithin(asked)}
        and (state <> 'waiting' or id = ${asked.id ?? null})
        and (not ${asked.failed ?? false}::boolean or state = 'failed')
      order by id limit ${most}
      for update
    ), requeued as (
      update deliveries set
        state = 'waiting', tries = 0, finished_at = null,
        due_at = now()
      where tenant_id = ${tenantId} and id in (select id from chosen)
      returning id, ${wakeDeliverers}
    ), usage as (
      update delivery_usage set waiting = waiting + (select count(*) from requeued)
      where tenant_id = ${tenantId}
    )
    select id from requeued`);
  return rows.map((row) => row.id);
}

/** @returns the id; undefined when the tenant had its share of tests within the last minute */
export async function insertTestDelivery(
  db: Db,
  tenantId: number,
  event: string,
  body: string,
  mostInAMinute: number,
): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(sql`
    insert into deliveries (tenant_id, event, body)
    select ${tenantId}, ${event}, ${body}
    where (
      select count(*) from deliveries
      where tenant_id = ${tenantId} and event = ${event}
        -- What lies further ahead is from before the clock was set back.
        and created_at between now() - interval '1 minute' and now() + interval '1 minute'
    ) < ${mostInAMinute}
    returning id, ${wakeDeliverers}`);
  return rows[0]?.id;
}

/**
 * Deletes a tenant's oldest deliveries with their attempts, a few at a time so that no lock is held
 * for long. One that still waits stays while the webhook is on, however old: its tries have an end.
 *
 * @param olderThanDays of all deliveries, and of `contact.read` events that were delivered
 * @param limit of either
 * @returns how many went
 */
export async function pruneDeliveries(
  db: Db,
  tenantId: number,
  olderThanDays: { all: number; reads: number },
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    with old as (
      select id from deliveries
      where tenant_id = ${tenantId} and created_at < now() - ${olderThanDays.all} * interval '1 day'
        and (state <> 'waiting' or exists (
          select from webhooks where tenant_id = ${tenantId} and off_since is not null))
      order by created_at limit ${limit}
      for update skip locked
    ), old_reads as (
      select id from deliveries
      where tenant_id = ${tenantId} and event = 'contact.read' and state = 'delivered'
        and created_at < now() - ${olderThanDays.reads} * interval '1 day'
      order by created_at limit ${limit}
      for update skip locked
    ), gone as (
      delete from deliveries where tenant_id = ${tenantId} and id in (
        select id from old union select id from old_reads)
      returning id, octet_length(body) as bytes
    ), usage as (
      update delivery_usage set kept_bytes = greatest(0, kept_bytes - coalesce((
        select sum(bytes) from gone where id <= measured_id), 0))
      where tenant_id = ${tenantId} and exists (select from gone)
    )
    select count(*) from gone`);
  return rows[0]!.count;
}

export async function listWebhookTenants(db: Db): Promise<number[]> {
  const { rows } = await db.query<{ tenant_id: number }>(sql`
    select tenant_id from webhooks order by tenant_id`);
  return rows.map((row) => row.tenant_id);
}
