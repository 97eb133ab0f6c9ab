import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { Topic } from '../schema.ts';

export type StoreEventState = 'waiting' | 'done' | 'nothing_to_do' | 'skipped' | 'failed';

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
  attempts: number;
  processed_at: Date | null;
  due_at: Date | null;
  contact_id: number | null;
  /** The network's id of the message, as the API has it; null while there is none. */
  message_id: string | null;
};

/** `settled_later`: the network's answer was lost, and a callback told later that it has the message. */
const events: Sql = sql`store_events as event
  left join messages as message
    on message.tenant_id = event.tenant_id and message.id = event.message_id
  cross join lateral (
    select event.state = 'failed' and event.due_at is null and message.network_id is not null
           as settled_later
  ) as later
  cross join lateral (select case when settled_later then 'done' else event.state end) as shown (state)`;

const columns: Sql = sql`event.tenant_id, event.store_id, event.id, event.topic, event.headers,
  event.received_at, event.replay_of, shown.state,
  case when not settled_later then event.reason end as reason, event.attempts, event.processed_at,
  event.due_at, event.contact_id, message.network_id as message_id`;

/**
 * The events of a store, newest first.
 *
 * @param before only events older than this one, to page on
 */
export async function listStoreEvents(
  db: Db,
  tenantId: number,
  storeId: number,
  { limit, before, state }: { limit: number; before?: number; state?: StoreEventState },
): Promise<StoreEventRow[]> {
  const { rows } = await db.query<StoreEventRow>(sql`
    select ${columns} from ${events}
    where event.tenant_id = ${tenantId} and event.store_id = ${storeId}
      and event.id < ${before ?? Number.MAX_SAFE_INTEGER}
      and (${state ?? null}::text is null
           -- Of most that are not asked for, no message is looked up.
           or event.state in (${state ?? null}, 'failed') and shown.state = ${state ?? null})
    order by event.id desc limit ${limit}`);
  return rows;
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

/**
 * Puts a stored event in the queue again: one that is settled as a new event, one that has a try to
 * come as it is, with that try now, because both of them would send its message. What waits or is in
 * hand (`waiting`) is left to whoever has it.
 *
 * @param mostWaiting no new one is made when so many replays of the tenant's stores are not settled
 * @returns the event that will be processed; null for want of room, undefined when there is none
 */
export async function requeueStoreEvent(
  db: Db,
  tenantId: number,
  storeId: number,
  id: number,
  { dedupKey, mostWaiting }: { dedupKey: Buffer; mostWaiting: number },
): Promise<number | null | undefined> {
  const { rows } = await db.query<{ id: number | null }>(sql`
    with event as materialized (
      -- As it is now, also when its try ends at this very moment.
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
                                received_at, due_at)
      select tenant_id, store_id, ${dedupKey}, topic, headers, body, coalesce(replay_of, id), now(), now()
      from event
      where due_at is null and (
        select count(*) from store_events
        where tenant_id = ${tenantId} and replay_of is not null and due_at is not null
      ) < ${mostWaiting}::int
      returning id
    )
    select queued.id, pg_notify('store_events', ${String(tenantId)})
    from event
    left join (select id from hastened union all select id from copied) as queued on true`);
  return rows[0]?.id;
}

/**
 * Deletes the oldest settled events of a store, a few at a time so that no lock is held for long.
 *
 * @returns how many went
 */
export async function pruneStoreEvents(
  db: Db,
  { tenantId, storeId }: { tenantId: number; storeId: number },
  { before, most }: { before: Date; most: number },
): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from store_events
    where tenant_id = ${tenantId} and store_id = ${storeId} and id in (
      select id from (
        select id, received_at, due_at from store_events
        where tenant_id = ${tenantId} and store_id = ${storeId}
        order by id limit ${most}
      ) as oldest
      where received_at < ${before} and due_at is null
    )`);
  return rowCount ?? 0;
}

/** Forgets how far resources were that have not changed since. */
export async function pruneStoreResources(db: Db, before: Date, most: number): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from store_resources where ctid in (
      select ctid from store_resources where changed_at < ${before} limit ${most}
    )`);
  return rowCount ?? 0;
}

export async function pruneStoreHours(db: Db, before: Date): Promise<void> {
  await db.query(sql`delete from store_hours where hour < ${before}`);
}

/** Every store there is, for the work that goes through all of them. */
export async function listAllStores(db: Db): Promise<{ tenantId: number; storeId: number }[]> {
  const { rows } = await db.query<{ tenantId: number; storeId: number }>(sql`
    select tenant_id as "tenantId", id as "storeId" from stores order by tenant_id, id`);
  return rows;
}
