import type { Db } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { releaseNext } from '../ordering/order-queries.ts';
import { refuseUnlessOn } from '../refuse-unless-on.ts';
import { type Redelivery, requeueDeliveries } from './delivery-log-queries.ts';

/** Deliveries per statement, so that a large range locks no rows for long. */
const chunkSize = 2_000;

/**
 * Requeues deliveries of an endpoint, with the schedule from its beginning. Body and `webhook-id` stay the same, so
 * a receiver can recognize a delivery that it has already processed.
 *
 * @returns how many
 * @throws ApiError 404 if there is no webhook or no such delivery, 422 while the webhook is off
 */
export async function redeliver(
  { db }: { db: Db },
  endpoint: Endpoint,
  redelivery: Redelivery,
): Promise<number> {
  await refuseUnlessOn(db, endpoint);
  let count = 0;
  let after = 0;
  for (let length = chunkSize; length === chunkSize; ) {
    const requeued = await requeueDeliveries(db, endpoint, redelivery, after, chunkSize);
    length = requeued.length;
    count += length;
    after = Math.max(after, ...requeued.map(({ id }) => id));
    const ordered = requeued.filter(({ in_order }) => in_order);
    if (ordered.length > 0) await releaseNext(db, ordered);
  }
  const isOne = redelivery.id !== undefined || redelivery.eventId !== undefined;
  if (isOne && count === 0) throw notFound();
  return count;
}
