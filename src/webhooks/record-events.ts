import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';
import type { EventType } from './schema.ts';

/**
 * What a statement returns of deliveries that it makes: its commit wakes whoever delivers. Not a trigger's
 * work, which took a lone create of a contact 0.01 ms longer.
 */
export const wakeDeliverers: Sql = sql`pg_notify('deliveries', tenant_id::text)`;

/**
 * Records events for a tenant's webhook, in one insert; nothing when the webhook is off or does not
 * want the type. Give it the transaction of the change, so that both commit together.
 *
 * @param events `data` is the full record as the API shows it (of a deleted one, its last state)
 */
export async function recordEvents(
  db: Db,
  tenantId: number,
  events: { type: EventType; data: object }[],
): Promise<void> {
  if (events.length === 0) return;
  const bodies = events.map(({ type, data }) => JSON.stringify({ event: type, data }));
  await db.query(
    prepared(
      'record-events',
      sql`
        insert into deliveries (tenant_id, event, body)
        select webhooks.tenant_id, event.type, event.body
        from webhooks
        cross join unnest(${events.map(({ type }) => type)}::text[], ${bodies}::text[])
          with ordinality as event (type, body, position)
        where webhooks.tenant_id = ${tenantId} and webhooks.off_since is null
          and event.type = any(webhooks.events)
        order by event.position
        returning ${wakeDeliverers}`,
    ),
  );
}

/**
 * The same for a statement that makes the change itself: change and events are one statement and
 * one commit, and a tenant without a webhook pays next to nothing. The statement has a CTE
 * `event (tenant_id, type, data)`, and this adds the CTE that records its rows. `data` is json,
 * jsonb or the text of a JSON object; it goes out as it is written, so make it with
 * `json_build_object`, which keeps the order of the keys, and with {@link isoTime} for times.
 *
 * PostgreSQL runs an insert in a CTE to its end whether or not the statement reads from it, works out what it
 * returns, and every CTE sees the rows as they were before the statement: take the new state from `returning`.
 *
 *     with changed as (
 *       update statuses set ... where tenant_id = $1 and id = $2 returning *
 *     ), event as (
 *       select tenant_id, 'status.updated' as type,
 *              json_build_object('id', id, 'name', name, 'updated_at', isoTime(updated_at)) as data
 *       from changed
 *     ), ${recordedEvents}
 *     select * from changed
 */
export const recordedEvents: Sql = sql`
  recorded_events as (
    insert into deliveries (tenant_id, event, body)
    select event.tenant_id, event.type,
           -- Not put together with ||: that has a function for each.
           concat('{"event":"', event.type, '","data":', event.data, '}')
    from event
    join webhooks on webhooks.tenant_id = event.tenant_id
    where webhooks.off_since is null and event.type = any(webhooks.events)
    returning ${wakeDeliverers}
  )`;

/**
 * The same for a statement that only reads many records of one tenant: its `event (data)` becomes
 * one row, whatever its length, and that is all the reader waits for; deliveries are made of it
 * later. As nothing changes, the reader does not wait for the disk either: that would cost more
 * than the read itself. So a crash of the database (not one of this service) can lose the events
 * of the reads of its last half second. A background job that repeats a change which was lost together
 * with its events can use it too.
 */
export function recordedBatch(tenantId: number, type: EventType): Sql {
  return sql`
    recorded_batch as (
      insert into event_batches (tenant_id, event, data)
      select webhooks.tenant_id, ${type},
             '[' || (select string_agg(event.data::text, ',') from event) || ']'
      from webhooks
      cross join (select set_config('synchronous_commit', 'off', true)) as not_waiting_for_the_disk
      where webhooks.tenant_id = ${tenantId} and webhooks.off_since is null
        and ${type} = any(webhooks.events) and exists (select from event)
      returning pg_notify('deliveries', 'batch')
    )`;
}

/** A time inside `json_build_object` in the form the API gives times: ISO 8601, UTC, milliseconds. */
export function isoTime(time: Sql): Sql {
  return sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
