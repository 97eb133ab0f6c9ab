import type { Db } from '../../platform/database/database.ts';
import { storedCode } from '../../platform/errors/fault.ts';
import { webhookId } from '../webhook-id.ts';
import { type AttemptRow, type DeliveryRow, listAttempts } from './delivery-log-queries.ts';

/** Presents deliveries with their `webhook-id` and every attempt. */
export async function presentDeliveries(db: Db, tenantId: number, deliveries: DeliveryRow[]) {
  const ids = deliveries.map((row) => row.id);
  const attempts = await listAttempts(db, tenantId, ids);
  const byDelivery = Map.groupBy(attempts, (attempt) => attempt.delivery_id);
  return deliveries.map((row) => {
    const ofDelivery = byDelivery.get(row.id) ?? [];
    return {
      id: row.id,
      webhook_id: webhookId(row),
      event: row.event,
      state: row.state,
      reason: row.reason,
      // The reason is that of the last attempt.
      reason_says: storedCode(row.reason, ofDelivery.at(-1)?.reason_says),
      created_at: row.created_at.toISOString(),
      next_try_at: row.next_try_at?.toISOString() ?? null,
      finished_at: row.finished_at?.toISOString() ?? null,
      attempts: ofDelivery.map(presentAttempt),
    };
  });
}

function presentAttempt(row: AttemptRow) {
  const { number, duration_ms, status, reason, answer } = row;
  return {
    number,
    started_at: row.started_at.toISOString(),
    duration_ms,
    status,
    reason,
    reason_says: storedCode(reason, row.reason_says),
    answer,
    next_try_at: row.next_try_at?.toISOString() ?? null,
  };
}
