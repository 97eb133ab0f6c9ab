import sql, { raw, type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';
import { type EventType, eventTypes } from './schema.ts';

/**
 * Goes into the `returning` of a statement that creates or requeues deliveries, so that its commit notifies the
 * delivering processes. A trigger would be slower.
 */
export const wakeDeliverers: Sql = sql`pg_notify('deliveries', tenant_id::text)`;

/**
 * Records events for a tenant's webhook in one insert. Records nothing if the webhook is off or does not want
 * the type. Call this in the transaction of the change, so that both commit together. Reads of contacts are
 * recorded by {@link recordedRead} and {@link recordedReads} instead, which count dropped events.
 *
 * @param events `data` is the full record as the API shows it. For a deleted record it is the last state.
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
 * A CTE that records events in the statement of the change itself, which costs next to nothing for a tenant
 * without a webhook. The statement must have a CTE `event (tenant_id, type, data)`. `data` is json, jsonb or
 * the text of a JSON object, and is sent unchanged. Build it with `json_build_object`, which keeps the order of
 * the keys, and format times with `isoTime`.
 *
 * PostgreSQL always executes an insert in a CTE completely, including its `returning`, even if no other part of
 * the statement reads from it. Every CTE sees the rows as they were before the statement, so take the new state
 * from `returning`.
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
           -- One function call; || would be one per operand.
           concat('{"event":"', event.type, '","data":', event.data, '}')
    from event
    join webhooks on webhooks.tenant_id = event.tenant_id
    where ${isRecorded(sql`event.type`)}
    returning ${wakeDeliverers}
  )`;

/**
 * A CTE with the tenant's webhook if it wants `contact.read` events, and whether its quota has room for them
 * (docs/decisions/0026).
 */
const wantingReads = (tenantId: number): Sql => sql`
  wanting as materialized (
    select tenant_id, recording = 'all' as has_room
    from webhooks
    where tenant_id = ${tenantId} and off_since is null
      and (events && '{contact.read,contact.*}') is not false
  )`;

/**
 * A column for a statement with {@link recordedRead} or {@link recordedReads}: whether the events were dropped
 * because the quota is full. Count these with `DroppedReads`.
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
 * Records the reads of many contacts of a tenant as one batch, like {@link recordedBatch}. The commit does not
 * wait for the disk, because that would take longer than the read itself.
 */
export function recordedReads(tenantId: number): Sql {
  return sql`${wantingReads(tenantId)}, ${batchFor(sql`wanting where wanting.has_room`, 'contact.read')}`;
}

/**
 * Records many events of one type as one row, from the CTE `event (data)` of the statement. The deliveries are
 * created from it later. The commit does not wait for the disk, so a crash of the database (not of this service)
 * can lose the events of the last half second, together with the change itself. Use it only for background
 * jobs, which repeat a lost change.
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

const contractEvents = raw(`'{${eventTypes.join(',')}}'::text[]`);

/** A condition on `webhooks`: whether it records events of the type. Without a choice, those of the contract. */
function isRecorded(type: Sql): Sql {
  return sql`(coalesce(webhooks.recorded_events, ${contractEvents})
              && array[${type}, split_part(${type}, '.', 1) || '.*'])`;
}
