import sql, { type Sql } from 'sql-template-tag';

/**
 * PostgreSQL rejects a payload of 8,000 bytes or more and aborts the transaction. An empty one stands for all
 * tenants.
 */
const maxPayloadBytes = 7_900;

/**
 * CTEs that append events to the logs of their tenants, if they have one. Only the publisher does this, so positions
 * become visible in their order. The statement must then select {@link notifiedReaders}.
 *
 * @param events a CTE (tenant_id, event_id, created_at, type, data, place)
 */
export function appendedToLogs(events: Sql): Sql {
  return sql`
    appended as (
      insert into events (tenant_id, position, id, created_at, event, data)
      select event.tenant_id, nextval('event_positions'), event.event_id, event.created_at, event.type,
             event.data
      from ${events} as event join event_logs on event_logs.tenant_id = event.tenant_id
      order by event.place
      returning tenant_id, octet_length(data) as bytes
    ), grown as (
      select tenant_id, sum(bytes) as bytes from appended group by tenant_id order by tenant_id
    ), measured as (
      update event_logs set kept_bytes = kept_bytes + grown.bytes
      from grown where event_logs.tenant_id = grown.tenant_id
    )`;
}

/** Wakes the readers that wait for the events of {@link appendedToLogs}. */
export const notifiedReaders: Sql = sql`
  select pg_notify('events', case when octet_length(tenants) <= ${maxPayloadBytes}::int
                                  then tenants else '' end)
  from (select string_agg(tenant_id::text, ' ') as tenants from grown) as payload
  where tenants is not null`;
