import { ApiError } from '../errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { withTenantLock } from '../tenants/with-tenant-lock.ts';
import { insertTestDelivery } from './log/delivery-log-queries.ts';
import { refuseUnlessOn } from './refuse-unless-on.ts';
import { testEvent } from './schema.ts';

const mostInAMinute = 10;

/**
 * Sends an event that means nothing, so that a receiver can be tried out. It takes the way of every
 * other delivery, guarded addresses and log included, but is tried once only.
 *
 * @returns the id of the delivery: look there for how it went
 * @throws ApiError 404 when there is no webhook, 422 while it is off, 429 after 10 in a minute
 */
export async function sendTestEvent(
  { db, clock }: { db: Database; clock: Clock },
  tenantId: number,
): Promise<number> {
  await refuseUnlessOn(db, tenantId);
  const body = JSON.stringify({
    event: testEvent,
    data: { message: 'This is a test. Nothing has changed.', sent_at: clock.now().toISOString() },
  });
  const id = await withTenantLock(db, tenantId, (tx) =>
    insertTestDelivery(tx, tenantId, testEvent, body, mostInAMinute),
  );
  if (id === undefined) {
    throw new ApiError('rate_limited', {
      message: `At most ${mostInAMinute} test events a minute.`,
      retryAfterSeconds: 60,
    });
  }
  return id;
}
