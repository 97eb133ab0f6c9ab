import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { hasSentNothing, messageOfEvent } from './event-queries.ts';

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
      select event.tenant_id, event.store_id, ${dedupKey}, event.topic, event.headers, event.body,
             coalesce(event.replay_of, event.id), ${hasSentNothing}, now(), now()
      from event ${messageOfEvent}
      where event.due_at is null and (
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
      select event.id, octet_length(event.body) as bytes
      from store_events as event ${messageOfEvent}
      where event.tenant_id = ${tenantId} and event.store_id = ${storeId}
        and event.state = 'failed' and event.due_at is null and ${hasSentNothing}
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
