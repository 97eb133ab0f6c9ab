import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import type { PublishedEvent } from './complete-events.ts';

/**
 * PostgreSQL rejects a payload of 8,000 bytes or more and aborts the transaction. An empty one stands for all
 * tenants.
 */
const maxPayloadBytes = 7_900;

/**
 * Appends events to the logs of their tenants, if they have one, and notifies the readers that wait. Only the
 * publisher calls this, so positions become visible in their order.
 */
export async function appendToLogs(tx: Db, events: PublishedEvent[]): Promise<void> {
  await tx.query(
    statement(
      'append-to-logs',
      sql`
        with event as (
          select * from ${rowsOf('event', events, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            id: ['bigint', ({ id }) => id],
            created_at: ['timestamptz', ({ createdAt }) => createdAt.toISOString()],
            event: ['text', ({ event }) => event],
            data: ['text', ({ data }) => data],
            place: ['int', (_, index) => index],
          })}
        ), appended as (
          insert into events (tenant_id, position, id, created_at, event, data)
          select event.tenant_id, nextval('event_positions'), event.id, event.created_at, event.event,
                 event.data
          from event join event_logs on event_logs.tenant_id = event.tenant_id
          order by event.place
          returning tenant_id, octet_length(data) as bytes
        ), grown as (
          select tenant_id, sum(bytes) as bytes from appended group by tenant_id order by tenant_id
        ), measured as (
          update event_logs set kept_bytes = kept_bytes + grown.bytes
          from grown where event_logs.tenant_id = grown.tenant_id
        )
        select pg_notify('events', case when octet_length(tenants) <= ${maxPayloadBytes}::int
                                        then tenants else '' end)
        from (select string_agg(tenant_id::text, ' ') as tenants from grown) as payload
        where tenants is not null`,
    ),
  );
}
