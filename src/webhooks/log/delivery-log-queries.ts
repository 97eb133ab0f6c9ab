import sql, { empty, type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { DeliveryId } from '../webhook-id.ts';

/** What to deliver again; every bound that is given must hold. With an id, that one, whatever its state. */
export type Redelivery = Partial<DeliveryId> & {
  /** Recorded from then on, and before then. */
  since?: Date;
  until?: Date;
  /** Only those that failed for good. */
  failed?: boolean;
};

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

export type DeliveryFilter = Partial<DeliveryId> & {
  event?: string;
  state?: DeliveryState;
  /** Recorded from then on, and before then. */
  since?: Date;
  until?: Date;
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
    where tenant_id = ${tenantId}
      and (${filter.id ?? null}::bigint is null or id = ${filter.id ?? null})
      ${recordedAt(filter)}
      and (${filter.event ?? null}::text is null or event = ${filter.event ?? null})
      and (${filter.state ?? null}::text is null or state = ${filter.state ?? null})
      and created_at >= coalesce(${filter.since ?? null}::timestamptz, '-infinity')
      and created_at < coalesce(${filter.until ?? null}::timestamptz, 'infinity')
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

/** A webhook-id has the milliseconds in it; what comes after those is cut off there. */
function recordedAt({ recordedMs }: Partial<DeliveryId>): Sql {
  return recordedMs === undefined
    ? empty
    : sql`and floor(extract(epoch from created_at) * 1000) = ${recordedMs}`;
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
  clockOffsetMs: number,
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(sql`
    with chosen as (
      select id from deliveries
      where tenant_id = ${tenantId} and id > ${after}
        and (${asked.id ?? null}::bigint is null or id = ${asked.id ?? null})
        ${recordedAt(asked)}
        and (state <> 'waiting' or id = ${asked.id ?? null})
        and (not ${asked.failed ?? false}::boolean or state = 'failed')
        and created_at >= coalesce(${asked.since ?? null}::timestamptz, '-infinity')
        and created_at < coalesce(${asked.until ?? null}::timestamptz, 'infinity')
      order by id limit ${most}
      for update
    ), requeued as (
      update deliveries set
        state = 'waiting', tries = 0, finished_at = null,
        due_at = now() + ${clockOffsetMs}::float8 * interval '1 ms'
      where tenant_id = ${tenantId} and id in (select id from chosen)
      returning id
    ), notified as materialized (
      select pg_notify('deliveries', ${String(tenantId)})
    )
    select id from requeued, notified`);
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
    returning id`);
  return rows[0]?.id;
}
