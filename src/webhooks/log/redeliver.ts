import { notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/database.ts';
import { refuseUnlessOn } from '../refuse-unless-on.ts';
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
  { db }: { db: Db },
  tenantId: number,
  asked: Redelivery,
): Promise<number> {
  await refuseUnlessOn(db, tenantId);
  let count = 0;
  let ids: number[] = [];
  do {
    const after = Math.max(0, ...ids);
    ids = await requeueDeliveries(db, tenantId, asked, after, chunk);
    count += ids.length;
  } while (ids.length === chunk);
  if (asked.id !== undefined && count === 0) throw notFound();
  return count;
}
