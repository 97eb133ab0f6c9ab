import { ApiError, notFound } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database.ts';
import { findWebhook } from '../queries.ts';
import { type Redelivery, requeueDeliveries } from './delivery-log-queries.ts';

/** Deliveries put back by one statement, so that a large range locks nothing for long. */
const chunk = 2_000;

/**
 * Puts deliveries back into the queue, with the schedule from its beginning. Body and `webhook-id`
 * stay the same, so a receiver that has taken one already can tell.
 *
 * @returns how many
 * @throws ApiError 404 when there is no webhook or no such delivery, 422 while the webhook is off
 */
export async function redeliver(
  { db, clock }: { db: Db; clock: Clock },
  tenantId: number,
  asked: Redelivery,
): Promise<number> {
  const webhook = await findWebhook(db, tenantId);
  if (!webhook) throw notFound();
  if (webhook.off_since) {
    throw new ApiError('invalid', { message: 'The webhook is off. Switch it on first.' });
  }
  let count = 0;
  for (let after = 0; ; ) {
    const ids = await requeueDeliveries(db, tenantId, asked, after, chunk, clock.offsetMs);
    count += ids.length;
    if (ids.length < chunk) break;
    after = Math.max(...ids);
  }
  if (asked.id !== undefined && count === 0) throw notFound();
  return count;
}
