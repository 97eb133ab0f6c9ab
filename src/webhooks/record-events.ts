import sql, { raw, type Sql } from 'sql-template-tag';
import { hasLog } from '../events/is-wanted.ts';
import { recordedForLog } from '../events/record-for-log.ts';
import type { Db } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';
import { insertedDeliveries, personOfEvent, wantingEndpoints } from './insert-deliveries.ts';
import { type EventType, eventTypes } from './schema.ts';

const contractEvents = raw(`'{${eventTypes.join(',')}}'::text[]`);

/** A condition on `webhooks`: whether it records events of the type. Without a choice, those of the contract. */
function isRecorded(type: Sql): Sql {
  return sql`(coalesce(webhooks.recorded_events, ${contractEvents})
              && array[${type}, split_part(${type}, '.', 1) || '.*'])`;
}

/**
 * CTEs that record events in the statement of the change itself, for every endpoint that wants them and for the
 * tenant's log. They cost next to nothing for a tenant without either. The statement must have a CTE
 * `event (tenant_id, type, data)`, in the order of the events. `data` is json, jsonb or the text of a JSON object, and
 * is sent unchanged. Build it with `json_build_object`, which keeps the order of the keys, and format times with
 * `isoTime`.
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
  wanted_event as materialized (
    select event.tenant_id, event.type, event.data, wanting.*, nextval('event_ids') as event_id,
           now() as created_at,
           -- One function call; || would be one per operand.
           concat('{"event":"', event.type, '","data":', event.data, '}') as body,
           ${personOfEvent(sql`event.tenant_id`, sql`event.type`, sql`concat(event.data)::json`)} as person
    from event
    cross join lateral (
      select ${wantingEndpoints}
      from webhooks
      where webhooks.tenant_id = event.tenant_id and ${isRecorded(sql`event.type`)}
    ) as wanting
    where wanting.webhook_ids is not null or ${hasLog(sql`event.tenant_id`)}
  ), ${recordedForLog(sql`wanted_event`)}, recorded_events as (${insertedDeliveries(sql`wanted_event`)})`;

/**
 * Records events of a tenant in a statement of its own. Records nothing for an endpoint that is off or does not want
 * the type. Call this in the transaction of the change, so that both commit together. Reads of contacts
 * are recorded by {@link recordedRead} and {@link recordedReads} instead, which count dropped events.
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
        with event as (
          select ${tenantId}::bigint as tenant_id, type, data
          from ${rowsOf('listed', events, {
            type: ['text', ({ type }) => type],
            data: ['text', ({ data }) => JSON.stringify(data)],
            position: ['int', (_, index) => index],
          })}
          order by position
        ), ${recordedEvents}
        select from recorded_events limit 0`,
    ),
  );
}

/**
 * A CTE with the tenant's endpoints that want `contact.read` events: the ids of those whose quota has room for
 * them, and whether it has none at another one (docs/decisions/0026). One row if any wants them, otherwise none.
 */
const wantingReads = (tenantId: number): Sql => sql`
  wanting as materialized (
    select tenant_id,
           array_agg(id) filter (where recording = 'all') as webhook_ids,
           array_agg(id) filter (where recording = 'all' and ordered) as ordered_ids,
           bool_or(recording <> 'all') as is_dropped
    from webhooks
    where tenant_id = ${tenantId} and off_since is null
      and (events && '{contact.read,contact.*}') is not false
    group by tenant_id
  )`;

/**
 * A column for a statement with {@link recordedRead} or {@link recordedReads}: whether the events were dropped
 * at an endpoint because its quota is full. Count these with `DroppedReads`.
 */
export const areReadsDropped: Sql = sql`coalesce((select is_dropped from wanting), false)`;

/**
 * Records the read of one contact. The statement has a CTE `event (data)`. The log has reads only if an endpoint gets
 * them, because otherwise every read of a tenant with a log would have to be written.
 */
export function recordedRead(tenantId: number): Sql {
  return sql`
    ${wantingReads(tenantId)}, wanted_read as materialized (
      select wanting.*, 'contact.read' as type, event.data, nextval('event_ids') as event_id,
             now() as created_at,
             concat('{"event":"contact.read","data":', event.data, '}') as body,
             ${personOfEvent(tenantId, sql`'contact.read'`, sql`concat(event.data)::json`)} as person
      from event cross join wanting
      where wanting.webhook_ids is not null
    ), ${recordedForLog(sql`wanted_read`)}, recorded_read as (${insertedDeliveries(sql`wanted_read`)})`;
}

/**
 * Records the reads of many contacts of a tenant as one batch, like {@link recordedBatch}. The commit does not
 * wait for the disk, because that would take longer than the read itself.
 */
export function recordedReads(tenantId: number): Sql {
  const having = sql`select tenant_id, webhook_ids from wanting`;
  return sql`${wantingReads(tenantId)}, ${batchFor(having, 'contact.read')}`;
}

/**
 * Records many events of one type as one row, from the CTE `event (data)` of the statement. The deliveries are
 * created from it later. The commit does not wait for the disk, so a crash of the database (not of this service)
 * can lose the events of the last half second, together with the change itself. Use it only for background
 * jobs, which repeat a lost change.
 */
export function recordedBatch(tenantId: number, type: Exclude<EventType, 'contact.read'>): Sql {
  const having = sql`
    select ${tenantId}::bigint as tenant_id, coalesce(wanting.webhook_ids, '{}') as webhook_ids
    from (
      select array_agg(id) as webhook_ids from webhooks
      where tenant_id = ${tenantId} and ${isRecorded(sql`${type}::text`)}
    ) as wanting
    where wanting.webhook_ids is not null or ${hasLog(tenantId)}`;
  return batchFor(having, type);
}

/** @param wanting a query of one row `(tenant_id, webhook_ids)` if the events are wanted */
function batchFor(wanting: Sql, type: EventType): Sql {
  return sql`
    recorded_batch as (
      insert into event_batches (tenant_id, created_at, webhook_ids, event, data)
      select webhook.tenant_id, now(), webhook.webhook_ids, ${type},
             '[' || (select string_agg(event.data::text, ',') from event) || ']'
      from (${wanting}) as webhook
      cross join (select set_config('synchronous_commit', 'off', true)) as not_waiting_for_the_disk
      where webhook.webhook_ids is not null and exists (select from event)
      returning pg_notify('deliveries', 'batch')
    )`;
}
