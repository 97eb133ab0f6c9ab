import sql, { empty, join, type Sql } from 'sql-template-tag';
import { personOf } from '../../messages/conversations/person.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { wakeDeliverers } from '../insert-deliveries.ts';
import type { OrderedPerson } from '../ordering/order-queries.ts';
import type { DeliveryId } from '../webhook-id.ts';

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

export type DeliveryRow = {
  id: number;
  event_id: number | null;
  event: string;
  state: DeliveryState;
  reason: string | null;
  attempts: number;
  created_at: Date;
  /** null unless it is waiting, and not for an earlier one of the person. */
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
  reason_says: Fault | null;
  answer: string | null;
  next_try_at: Date | null;
};

/** Conditions on a delivery. All of them must hold. */
type Bounds = Partial<DeliveryId> & {
  /** Recorded at or after `since`, and before `until`. */
  since?: Date;
  until?: Date;
};

export type DeliveryFilter = Bounds & {
  event?: string;
  state?: DeliveryState;
  /** Phones or user ids, in any form of a phone. */
  people?: string[];
  /** A message, with the keys of its conversation and its time. */
  message?: { networkId: string; people: string[]; since: Date };
};

/**
 * Which deliveries to repeat: with an id, that delivery in any state; otherwise those that are finished. With `failed`
 * and `waiting`, those of either.
 */
export type Redelivery = Bounds & {
  /** Only those that failed permanently. */
  failed?: boolean;
  /** Only those that wait for a later attempt. */
  waiting?: boolean;
};

/** The last row of a page of the log. The time is in microseconds since 1970. */
export type DeliveryCursor = { createdUs: number; id: number };

/**
 * Lists the deliveries of an endpoint, the newest first.
 *
 * @param after the `cursor` of the last row of the previous page
 */
export async function listDeliveries(
  db: Db,
  { tenantId, webhookId }: Endpoint,
  filter: DeliveryFilter,
  limit: number,
  after?: DeliveryCursor,
): Promise<(DeliveryRow & { cursor: DeliveryCursor })[]> {
  const { rows } = await db.query<DeliveryRow & { created_us: number }>(sql`
    select id, event_id, event, state, reason, attempts, created_at, finished_at,
           case when state = 'waiting' and due_at < 'infinity' then due_at end as next_try_at,
           (extract(epoch from created_at) * 1000000)::bigint as created_us
    from deliveries
    where tenant_id = ${tenantId} and webhook_id = ${webhookId} and ${isWithin(filter)}
      and (${filter.event ?? null}::text is null or event = ${filter.event ?? null})
      and (${filter.state ?? null}::text is null or state = ${filter.state ?? null})
      ${filter.people ? isOfAny(tenantId, filter.people) : empty}
      ${filter.message ? isAbout(filter.message) : empty}
      and (created_at, id) < (coalesce(timestamptz 'epoch' + ${after?.createdUs ?? null}::float8
                                         * interval '1 microsecond', 'infinity'),
                              coalesce(${after?.id ?? null}::bigint, 0))
    order by created_at desc, id desc
    limit ${limit}`);
  return rows.map(({ created_us: createdUs, ...row }) => ({
    ...row,
    cursor: { createdUs, id: row.id },
  }));
}

/** Earlier versions recorded the events of a contact without a phone by the user id itself. */
function isOfAny(tenantId: number, people: string[]): Sql {
  const keys = people.map((person) => {
    const identity = person.startsWith('+') ? person : `user:${person}`;
    return sql`array[${person}, phone_identity(${identity}), ${personOf(tenantId, identity)}]`;
  });
  return sql`and person = any(${join([sql`array[]::text[]`, ...keys], ' || ')})`;
}

/** Reads only deliveries of the conversation since the message, because bodies are not indexed. */
function isAbout({ networkId, people, since }: NonNullable<DeliveryFilter['message']>): Sql {
  return sql`
    and person = any(${people}::text[]) and created_at >= ${since}::timestamptz - interval '1 hour' and event like 'message.%'
    and position(${networkId} in body) > 0`;
}

function isWithin({ id, eventId, recordedMs, since, until }: Bounds): Sql {
  const recordedAt = recordedMs === undefined ? null : new Date(recordedMs);
  return sql`
    (${id ?? null}::bigint is null or id = ${id ?? null})
      and (${eventId ?? null}::bigint is null or event_id = ${eventId ?? null})
      -- A webhook-id contains the time, truncated to milliseconds.
      and (${recordedAt}::timestamptz is null or (
        created_at >= ${recordedAt}
        and created_at < ${recordedAt}::timestamptz + interval '1 ms'))
      and created_at >= coalesce(${since ?? null}::timestamptz, '-infinity')
      and created_at < coalesce(${until ?? null}::timestamptz, 'infinity')`;
}

/** Finds the bodies of deliveries of a tenant, except for long ones if there is a limit. */
export async function findBodies(
  db: Db,
  { tenantId, webhookId }: Endpoint,
  ids: number[],
  maxBytes: number,
): Promise<Map<number, string>> {
  const { rows } = await db.query<{ id: number; body: string }>(sql`
    select id, body from deliveries
    where tenant_id = ${tenantId} and id = any(${ids}::bigint[]) and webhook_id = ${webhookId}
      and octet_length(body) <= ${maxBytes}`);
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** Lists every attempt of these deliveries, the oldest first. */
export async function listAttempts(
  db: Db,
  tenantId: number,
  deliveryIds: number[],
): Promise<AttemptRow[]> {
  const { rows } = await db.query<AttemptRow>(sql`
    select delivery_id, number, started_at, duration_ms, status, reason, reason_says, answer, next_try_at
    from delivery_attempts
    where tenant_id = ${tenantId} and delivery_id = any(${deliveryIds}::bigint[])
    order by delivery_id, number`);
  return rows;
}

/**
 * Requeues deliveries at the beginning of the schedule, due now. A delivery that a process has claimed keeps its
 * lease.
 *
 * At an ordered endpoint, those of a person are due one after another, with `releaseNext`. Deliveries that wait
 * behind another one are left alone.
 *
 * @param after the highest id of the previous chunk
 */
export async function requeueDeliveries(
  db: Db,
  { tenantId, webhookId }: Endpoint,
  redelivery: Redelivery,
  after: number,
  limit: number,
): Promise<(OrderedPerson & { id: number; in_order: boolean })[]> {
  const { rows } = await db.query<OrderedPerson & { id: number; in_order: boolean }>(sql`
    with chosen as (
      select id, state from deliveries
      where tenant_id = ${tenantId} and webhook_id = ${webhookId} and id > ${after}
        and ${isWithin(redelivery)} and ${isChosen(redelivery)}
      order by id limit ${limit}
      for update
    ), requeued as (
      update deliveries set
        state = 'waiting', tries = 0, finished_at = null,
        due_at = case when in_order and (state <> 'waiting' or ${redelivery.waiting ?? false}::boolean)
          then 'infinity' else now() end
      where tenant_id = ${tenantId} and id in (select id from chosen)
      returning tenant_id, webhook_id, person, id, in_order, ${wakeDeliverers}
    ), usage as (
      update delivery_usage set waiting = waiting + (select count(*) from chosen where state <> 'waiting')
      where tenant_id = ${tenantId}
    )
    select tenant_id, webhook_id, person, id, in_order from requeued`);
  return rows;
}

function isChosen({ id, eventId, failed, waiting }: Redelivery): Sql {
  const isLater = sql`(state = 'waiting' and due_at > now() and due_at < 'infinity')`;
  if (failed && waiting) return sql`(state = 'failed' or ${isLater})`;
  if (failed) return sql`state = 'failed'`;
  if (waiting) return isLater;
  return id === undefined && eventId === undefined ? sql`state <> 'waiting'` : sql`true`;
}

/** @returns the id; undefined if the endpoint has reached the limit of test events per minute */
export async function insertTestDelivery(
  db: Db,
  { tenantId, webhookId }: Endpoint,
  event: string,
  body: string,
  maxPerMinute: number,
): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number }>(sql`
    insert into deliveries (tenant_id, webhook_id, event, body)
    select ${tenantId}, ${webhookId}, ${event}, ${body}
    where (
      select count(*) from deliveries
      where tenant_id = ${tenantId} and webhook_id = ${webhookId} and event = ${event}
        -- Rows further in the future are from before the clock was set back.
        and created_at between now() - interval '1 minute' and now() + interval '1 minute'
    ) < ${maxPerMinute}
    returning id, ${wakeDeliverers}`);
  return rows[0]?.id;
}
