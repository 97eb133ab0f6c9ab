import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';
import type { EventType } from './schema.ts';

/**
 * What a statement returns of deliveries that it makes: its commit wakes whoever delivers. Not a trigger's
 * work, which took a lone create of a contact 0.01 ms longer.
 */
export const wakeDeliverers: Sql = sql`pg_notify('deliveries', tenant_id::text)`;

/**
 * Records events for a tenant's webhook, in one insert; nothing if the webhook is off or does not
 * want the type. Give it the transaction of the change, so that both commit together. Reads of contacts are
 * recorded by {@link recordedRead} and {@link recordedReads}, so that dropped ones are counted.
 *
 * @param events `data` is the full record as the API shows it (of a deleted one, its last state)
 */
export async function recordEvents(
  db: Db,
  tenantId: number,
  events: { type: EventType; data: object }[],
): Promise<void> {
  if (events.length === 0) return;
  await db.query(
    statement(
      'record-events',
      sql`
        insert into deliveries (tenant_id, event, body)
        select webhooks.tenant_id, event.type, event.body
        from webhooks
        cross join ${rowsOf('event', events, {
          type: ['text', ({ type }) => type],
          body: ['text', ({ type, data }) => JSON.stringify({ event: type, data })],
          position: ['int', (_, index) => index],
        })}
        where webhooks.tenant_id = ${tenantId} and ${isRecorded(sql`event.type`)}
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
    where ${isRecorded(sql`event.type`)}
    returning ${wakeDeliverers}
  )`;

/**
 * The tenant's webhook if it wants `contact.read` events, and whether its quota has room for them
 * (docs/decisions/0026). A step of the statements that read contacts.
 */
const wantingReads = (tenantId: number): Sql => sql`
  wanting as materialized (
    select tenant_id, recording = 'all' as has_room
    from webhooks
    where tenant_id = ${tenantId} and off_since is null
      and ('contact.read' = any(events)) is not false
  )`;

/**
 * For the end of a statement with {@link recordedRead} or {@link recordedReads}: whether the events of what
 * was read were dropped because the quota is full. Count them with `DroppedReads`.
 */
export const areReadsDropped: Sql = sql`coalesce((select not has_room from wanting), false)`;

/** Records the read of one contact. The statement has a CTE `event (data)`. */
export function recordedRead(tenantId: number): Sql {
  return sql`
    ${wantingReads(tenantId)}, recorded_read as (
      insert into deliveries (tenant_id, event, body)
      select wanting.tenant_id, 'contact.read',
             concat('{"event":"contact.read","data":', event.data, '}')
      from event cross join wanting
      where wanting.has_room
      returning ${wakeDeliverers}
    )`;
}

/**
 * Records the reads of many contacts of a tenant, as {@link recordedBatch} does. As nothing changes, the reader
 * does not wait for the disk: that would cost more than the read itself.
 */
export function recordedReads(tenantId: number): Sql {
  return sql`${wantingReads(tenantId)}, ${batchFor(sql`wanting where wanting.has_room`, 'contact.read')}`;
}

/**
 * Records many events of one type as one row. The statement's `event (data)` becomes that row, whatever its
 * length, and that is all the caller waits for; deliveries are made of it later. The commit does not wait for
 * the disk, so a crash of the database (not one of this service) can lose the events of its last half second:
 * for a background job that then repeats its change as well.
 */
export function recordedBatch(tenantId: number, type: Exclude<EventType, 'contact.read'>): Sql {
  return batchFor(
    sql`webhooks where tenant_id = ${tenantId} and ${isRecorded(sql`${type}`)}`,
    type,
  );
}

/** @param webhook a table with `tenant_id`, and a condition: one row if the events are wanted */
function batchFor(webhook: Sql, type: EventType): Sql {
  return sql`
    recorded_batch as (
      insert into event_batches (tenant_id, event, data)
      select webhook.tenant_id, ${type},
             '[' || (select string_agg(event.data::text, ',') from event) || ']'
      from (select tenant_id from ${webhook}) as webhook
      cross join (select set_config('synchronous_commit', 'off', true)) as not_waiting_for_the_disk
      where exists (select from event)
      returning pg_notify('deliveries', 'batch')
    )`;
}

/** A condition on `webhooks`: it records events of the type. Null stands for all types. */
function isRecorded(type: Sql): Sql {
  return sql`(${type} = any(webhooks.recorded_events)) is not false`;
}

/** A time inside `json_build_object` in the form the API gives times: ISO 8601, UTC, milliseconds. */
export function isoTime(time: Sql): Sql {
  return sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
