import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import { notifyTopic } from '../../tenants/watched-topics.ts';
import type { StoreEventState } from '../activity/event-queries.ts';
import type { ClaimedEvent } from './claim-events.ts';

/** The result of one attempt of an event. */
export type Settlement = {
  tenantId: number;
  storeId: number;
  id: number;
  /** The attempt of the claim. If another process has claimed the event since, this result is ignored. */
  attempts: number;
  state: StoreEventState;
  reason: Fault | null;
  contactId: number | null;
  /** null if they could not be read. Then those of an earlier attempt stay. */
  resourceNumber: string | null;
  phone: string | null;
  /** null if there is no further attempt. */
  retryInMs: number | null;
  messagesSent: number;
};

/** Stores the results of many events, and counts the settled ones, in one statement. */
export async function settleStoreEvents(db: Db, settled: Settlement[]): Promise<void> {
  await db.query(
    statement(
      'settle-store-events',
      sql`
        with settled as (
          select *
          from ${rowsOf('settled', settled, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            store_id: ['bigint', ({ storeId }) => storeId],
            id: ['bigint', ({ id }) => id],
            attempts: ['int', ({ attempts }) => attempts],
            state: ['text', ({ state }) => state],
            reason: ['text', ({ reason }) => reason?.text],
            reason_says: ['jsonb', ({ reason }) => reason && JSON.stringify(reason)],
            contact_id: ['bigint', ({ contactId }) => contactId],
            resource_number: ['text', ({ resourceNumber }) => resourceNumber],
            phone: ['text', ({ phone }) => phone],
            retry_in_ms: ['float8', ({ retryInMs }) => retryInMs],
            messages_sent: ['int', ({ messagesSent }) => messagesSent],
          })}
        ), updated as (
          update store_events set
            state = settled.state,
            reason = settled.reason,
            reason_says = settled.reason_says,
            contact_id = coalesce(settled.contact_id, store_events.contact_id),
            resource_number = coalesce(settled.resource_number, store_events.resource_number),
            phone = coalesce(settled.phone, store_events.phone),
            processed_at = now(),
            due_at = now() + settled.retry_in_ms * interval '1 ms'
          from settled
          where store_events.tenant_id = settled.tenant_id
            and store_events.store_id = settled.store_id and store_events.id = settled.id
            and store_events.attempts = settled.attempts
          returning store_events.tenant_id, store_events.store_id, settled.state,
                    settled.retry_in_ms, settled.messages_sent,
                    ${notifyTopic('stores', sql`store_events.tenant_id`)}
        )
        insert into store_hours as stored (tenant_id, store_id, hour, done, nothing_to_do, skipped,
                                         failed, messages_sent)
        select tenant_id, store_id, date_trunc('hour', now()),
               count(*) filter (where state = 'done'),
               count(*) filter (where state = 'nothing_to_do'),
               count(*) filter (where state = 'skipped'),
               count(*) filter (where state = 'failed' and retry_in_ms is null),
               sum(messages_sent)
        from updated
        group by tenant_id, store_id order by tenant_id, store_id
        on conflict (tenant_id, store_id, hour) do update set
          done = stored.done + excluded.done,
          nothing_to_do = stored.nothing_to_do + excluded.nothing_to_do,
          skipped = stored.skipped + excluded.skipped,
          failed = stored.failed + excluded.failed,
          messages_sent = stored.messages_sent + excluded.messages_sent`,
    ),
  );
}

/** Postpones the next attempt of a claimed event without a result. */
export async function postponeStoreEvent(
  db: Db,
  event: ClaimedEvent,
  { ms }: { ms: number },
): Promise<void> {
  await db.query(sql`
    update store_events
    set due_at = now() + ${ms}::float8 * interval '1 ms'
    where tenant_id = ${event.tenant_id} and store_id = ${event.store_id} and id = ${event.id}
      and attempts = ${event.attempts}`);
}

/**
 * Links a message to its event, in the transaction that stores the message.
 *
 * @returns false if another process has claimed the event since; then the message must not be sent
 */
export async function linkMessage(
  tx: Db,
  event: ClaimedEvent,
  { messageId, contactId }: { messageId: number; contactId: number | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    statement(
      'link-store-message',
      sql`
        update store_events
        set message_id = ${messageId}, contact_id = coalesce(${contactId}, contact_id)
        where tenant_id = ${event.tenant_id} and store_id = ${event.store_id}
          and id = ${event.id} and attempts = ${event.attempts}`,
    ),
  );
  return rowCount === 1;
}
