import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { longValues } from '../../platform/database/long-values.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { type AnyEventType, optInEventTypes } from '../../webhooks/schema.ts';
import { appendedToLogs, notifiedReaders } from './append-to-logs.ts';
import type { PublishedEvent } from './complete-events.ts';
import { deliveredToEndpoints } from './deliver-events.ts';

/**
 * Passes events on to the logs of their tenants and to the endpoints that want them. One statement, because
 * most of its time goes into sending the data of the events to PostgreSQL.
 */
export async function passOnEvents(tx: Db, events: PublishedEvent[]): Promise<void> {
  const data = longValues(events.map((event) => event.data));
  await tx.query(
    statement(
      'pass-on-events',
      sql`
        with event as (
          select event.*, ${data.text} as data
          from ${rowsOf('event', events, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            event_id: ['bigint', ({ id }) => id],
            created_at: ['timestamptz', ({ createdAt }) => createdAt.toISOString()],
            type: ['text', ({ event }) => event],
            person: ['text', ({ message }) => message?.person ?? null],
            number_id: ['bigint', ({ message }) => message?.numberId ?? null],
            kind: ['text', ({ message }) => message?.kind ?? null],
            cause: ['text', ({ message }) => message?.cause ?? null],
            is_opt_in: ['boolean', ({ event }) => isOptIn(event)],
            place: ['int', (_, index) => index],
            ...data.columns,
          })}
        ), chosen as (
          select * from event where is_opt_in
        ), ${appendedToLogs(sql`event`)}, ${deliveredToEndpoints(sql`chosen`)}
        ${notifiedReaders}`,
    ),
  );
}

function isOptIn(event: AnyEventType): boolean {
  return (optInEventTypes as readonly string[]).includes(event);
}
