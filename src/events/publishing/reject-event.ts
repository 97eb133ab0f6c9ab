import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Gathered } from './deliver-gathered.ts';
import type { OutboxRow } from './outbox-queries.ts';

/** An event that cannot be published, and why. */
export type RejectedEvent = { row: OutboxRow; error: unknown };

/** Gathered messages that cannot be delivered, and why. */
export type PostponedMessages = { conversation: Gathered; error: unknown };

/** Keeps an event apart that was taken out of the outbox and cannot be published. */
export async function keepRejected(tx: Db, { row, error }: RejectedEvent): Promise<void> {
  await tx.query(sql`
    insert into rejected_events (tenant_id, id, created_at, event, message_id, at, data, error)
    select ${row.tenant_id}, ${row.id}, ${row.created_at}, ${row.event}, ${row.message_id}, ${row.at},
           ${row.data}, ${String(error)}
    where exists (select from tenants where id = ${row.tenant_id})
    on conflict (tenant_id, id) do update set error = excluded.error, rejected_at = now()`);
}

export function reportRejected(
  { log, metrics }: { log: Log; metrics: Metrics },
  rejected: RejectedEvent[],
): void {
  for (const { row, error } of rejected) {
    const { tenant_id: tenantId, id, event, message_id: messageId } = row;
    log.error({ err: error, tenantId, id, event, messageId }, 'an event cannot be published');
    metrics.rejectedEvents.inc();
  }
}

export function reportPostponed(
  { log, metrics }: { log: Log; metrics: Metrics },
  postponed: PostponedMessages[],
): void {
  for (const { conversation, error } of postponed) {
    const { tenantId, webhookId } = conversation;
    log.error({ err: error, tenantId, webhookId }, 'gathered messages cannot be delivered');
    metrics.rejectedEvents.inc();
  }
}
