import sql, { empty, type Sql } from 'sql-template-tag';
import type { Failure } from '../../messages/failure-message.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import type { Topic } from '../schema.ts';

export const storeEventStates = ['waiting', 'done', 'nothing_to_do', 'skipped', 'failed'] as const;

export type StoreEventState = (typeof storeEventStates)[number];

export type StoreEventRow = {
  tenant_id: number;
  store_id: number;
  id: number;
  topic: Topic | null;
  headers: Record<string, string>;
  received_at: Date;
  replay_of: number | null;
  state: StoreEventState;
  reason: string | null;
  reason_says: Fault | null;
  attempts: number;
  processed_at: Date | null;
  due_at: Date | null;
  contact_id: number | null;
  /** The number of an order, or the id of another resource, and the buyer's phone; null if they could not be read. */
  resource_number: string | null;
  phone: string | null;
  /** The network's id of the message, as the API has it; null while there is none. */
  message_id: string | null;
  /** It has sent a message, or may have: a replay sends it once more. */
  has_sent: boolean;
  /** The error of a message that the network accepted, and that failed later. */
  message_error: Failure | null;
};

/** `settled_later`: the network's response was lost, but a status callback reported the message later. */
const events: Sql = sql`store_events as event
  left join message_states as message
    on message.tenant_id = event.tenant_id and message.message_id = event.message_id
  cross join lateral (
    select event.state = 'failed' and event.due_at is null and message.network_id is not null
           as settled_later
  ) as later
  cross join lateral (select case when settled_later then 'done' else event.state end) as shown (state)`;

const columns: Sql = sql`event.tenant_id, event.store_id, event.id, event.topic, event.headers,
  event.received_at, event.replay_of, shown.state,
  case when not settled_later then event.reason end as reason, event.reason_says, event.attempts, event.processed_at,
  event.due_at, event.contact_id, event.resource_number, event.phone, message.network_id as message_id,
  case when message.status = 'failed' and message.network_id is not null then message.error end
    as message_error,
  event.message_id is not null and (message.status is distinct from 'failed' or message.network_id is not null)
    as has_sent`;

/** The number of an order and the phone of a buyer that a text can mean. */
export type EventSearch = { numbers: string[]; phone: string | undefined };

/**
 * Lists the events of a store, the newest first.
 *
 * @param before only events older than this one, to page on
 */
export async function listStoreEvents(
  db: Db,
  tenantId: number,
  storeId: number,
  {
    limit,
    before,
    state,
    search,
  }: { limit: number; before?: number; state?: StoreEventState; search?: EventSearch },
): Promise<StoreEventRow[]> {
  const { rows } = await db.query<StoreEventRow>(sql`
    select ${columns} from ${events}
    where event.tenant_id = ${tenantId} and event.store_id = ${storeId}
      and event.id < ${before ?? Number.MAX_SAFE_INTEGER} ${state === undefined ? empty : hasState(state)}
      ${search === undefined ? empty : isAbout(search)}
    order by event.id desc limit ${limit}`);
  return rows;
}

/** Every state but `done`, which most events have, is found by an index, also if no event of many has it. */
function hasState(state: StoreEventState): Sql {
  if (state === 'waiting') return sql`and event.state = 'waiting' and event.due_at is not null`;
  // An event that failed can be shown as done.
  const stored = state === 'done' ? sql`in ('done', 'failed')` : sql`= ${state}`;
  return sql`and event.state ${stored} and shown.state = ${state}`;
}

function isAbout({ numbers, phone }: EventSearch): Sql {
  return sql`and (event.resource_number = any(${numbers}::text[]) or event.phone = ${phone ?? null})`;
}

export async function findStoreEvent(
  db: Db,
  tenantId: number,
  storeId: number,
  id: number,
): Promise<(StoreEventRow & { body: Buffer }) | undefined> {
  const { rows } = await db.query<StoreEventRow & { body: Buffer }>(sql`
    select ${columns}, event.body from ${events}
    where event.tenant_id = ${tenantId} and event.store_id = ${storeId} and event.id = ${id}`);
  return rows[0];
}

/** Whether an event has no message, or one that was certainly not sent. */
function hasSentNothing(tenantId: number): Sql {
  return sql`(event.message_id is null or exists (
    select from message_states
    where message_states.tenant_id = ${tenantId} and message_states.message_id = event.message_id
      and message_states.status = 'failed' and message_states.network_id is null
  ))`;
}

/**
 * Requeues a stored event. A settled event is copied to a new one. An event with a retry is retried now instead,
 * because otherwise both would send its message. A waiting or claimed event does not change. The replay of an event that
 * has sent nothing sends nothing that another event has sent meanwhile.
 *
 * @param maxWaiting the maximum number of unsettled replays of the tenant
 * @returns the event that will be processed; null if there are too many replays, undefined if there is no such event
 */
export async function requeueStoreEvent(
  db: Db,
  tenantId: number,
  storeId: number,
  id: number,
  { dedupKey, maxWaiting }: { dedupKey: Buffer; maxWaiting: number },
): Promise<number | null | undefined> {
  const { rows } = await db.query<{ id: number | null }>(sql`
    with event as materialized (
      -- Locked, because an attempt may be ending at the same time.
      select * from store_events
      where tenant_id = ${tenantId} and store_id = ${storeId} and id = ${id}
      for no key update
    ), hastened as (
      update store_events
      set due_at = case when event.state = 'failed' then least(event.due_at, now())
                        else event.due_at end
      from event
      where store_events.tenant_id = ${tenantId} and store_events.store_id = ${storeId}
        and store_events.id = event.id and event.due_at is not null
      returning store_events.id
    ), copied as (
      insert into store_events (tenant_id, store_id, dedup_key, topic, headers, body, replay_of,
                                only_unsent, received_at, due_at)
      select tenant_id, store_id, ${dedupKey}, topic, headers, body, coalesce(replay_of, id),
             ${hasSentNothing(tenantId)}, now(), now()
      from event
      where due_at is null and (
        select count(*) from store_events
        where tenant_id = ${tenantId} and replay_of is not null and due_at is not null
      ) < ${maxWaiting}::int
      returning id
    )
    select queued.id, pg_notify('store_events', ${String(tenantId)})
    from event
    left join (select id from hastened union all select id from copied) as queued on true`);
  return rows[0]?.id;
}

/**
 * Copies the oldest failed events of a store that have sent nothing to new ones. Those that were replayed since count by the
 * result of their latest replay.
 *
 * @param maxWaiting the maximum number of unsettled replays of the tenant
 * @param maxBytes the bodies of one call, besides the last one
 * @returns how many it copied, and whether there are more
 */
export async function requeueFailedEvents(
  db: Db,
  tenantId: number,
  storeId: number,
  { maxWaiting, maxBytes }: { maxWaiting: number; maxBytes: number },
): Promise<{ replayed: number; more: boolean }> {
  const { rows } = await db.query<{ replayed: number; found: number }>(sql`
    with failed as materialized (
      select event.id, octet_length(event.body) as bytes from store_events as event
      where event.tenant_id = ${tenantId} and event.store_id = ${storeId}
        and event.state = 'failed' and event.due_at is null and ${hasSentNothing(tenantId)}
        and not exists (
          select from store_events as replay
          where replay.tenant_id = ${tenantId} and replay.store_id = ${storeId}
            and replay.replay_of = coalesce(event.replay_of, event.id) and replay.id > event.id
        )
      order by event.id limit ${maxWaiting}::int + 1
    ), counted as (
      select id, row_number() over so_far as place, sum(bytes) over so_far - bytes as bytes_before
      from failed window so_far as (order by id)
    ), copied as (
      insert into store_events (tenant_id, store_id, dedup_key, topic, headers, body, replay_of,
                                only_unsent, received_at, due_at)
      select tenant_id, store_id, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), topic,
             headers, body, coalesce(replay_of, id), true, now(), now()
      from store_events
      where tenant_id = ${tenantId} and store_id = ${storeId} and id in (
        select id from counted
        where bytes_before < ${maxBytes}::int and place <= ${maxWaiting}::int - (
          select count(*) from store_events
          where tenant_id = ${tenantId} and replay_of is not null and due_at is not null
        )
      )
      order by id
      returning id
    )
    select (select count(*)::int from copied) as replayed, (select count(*)::int from failed) as found,
           pg_notify('store_events', ${String(tenantId)})`);
  const { replayed, found } = rows[0]!;
  return { replayed, more: found > replayed };
}

/**
 * Deletes the oldest settled events of a store, in small chunks so that no lock is held for long.
 *
 * @returns how many it deleted
 */
export async function pruneStoreEvents(
  db: Db,
  { tenantId, storeId }: { tenantId: number; storeId: number },
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from store_events
    where tenant_id = ${tenantId} and store_id = ${storeId} and id in (
      select id from (
        select id, received_at, due_at from store_events
        where tenant_id = ${tenantId} and store_id = ${storeId}
        order by id limit ${limit}
      ) as oldest
      where received_at < ${before} and due_at is null
    )`);
  return rowCount ?? 0;
}

/** Deletes the states of resources, or only those of buyers, that have not changed since a time. */
export async function pruneStoreResources(
  db: Db,
  { before, kind }: { before: Date; kind?: 'buyer' },
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from store_resources where ctid in (
      select ctid from store_resources
      where changed_at < ${before} ${kind === undefined ? empty : sql`and kind = 'buyer'`}
      order by changed_at limit ${limit}
    )`);
  return rowCount ?? 0;
}

export async function pruneStoreHours(db: Db, before: Date): Promise<void> {
  await db.query(sql`delete from store_hours where hour < ${before}`);
}

/** Lists the stores whose oldest event arrived before a time. Costs one index entry for each store. */
export async function listStoresToPrune(
  db: Db,
  before: Date,
): Promise<{ tenantId: number; storeId: number }[]> {
  const { rows } = await db.query<{ tenant_id: number; id: number }>(sql`
    select tenant_id, id from stores
    where (
      select received_at from store_events
      where store_events.tenant_id = stores.tenant_id and store_events.store_id = stores.id
      order by store_events.id limit 1
    ) < ${before}
    order by tenant_id, id`);
  return rows.map((row) => ({ tenantId: row.tenant_id, storeId: row.id }));
}
