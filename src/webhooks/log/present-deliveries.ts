import type { Db } from '../../platform/database/database.ts';
import { webhookId } from '../webhook-id.ts';
import { type AttemptRow, type DeliveryRow, listAttempts } from './delivery-log-queries.ts';

/** Presents deliveries with their `webhook-id` and every attempt. */
export async function presentDeliveries(db: Db, tenantId: number, deliveries: DeliveryRow[]) {
  const ids = deliveries.map((row) => row.id);
  const attempts = await listAttempts(db, tenantId, ids);
  const byDelivery = Map.groupBy(attempts, (attempt) => attempt.delivery_id);
  return deliveries.map((row) => ({
    id: row.id,
    webhook_id: webhookId(row),
    event: row.event,
    state: row.state,
    reason: row.reason,
    created_at: row.created_at.toISOString(),
    next_try_at: row.next_try_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    attempts: (byDelivery.get(row.id) ?? []).map(presentAttempt),
  }));
}

function presentAttempt(row: AttemptRow) {
  const { number, duration_ms, status, reason, answer } = row;
  return {
    number,
    started_at: row.started_at.toISOString(),
    duration_ms,
    status,
    reason,
    answer,
    next_try_at: row.next_try_at?.toISOString() ?? null,
  };
}
