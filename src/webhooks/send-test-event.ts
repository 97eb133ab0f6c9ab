import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { withTenantLock } from '../tenants/with-tenant-lock.ts';
import type { Endpoint } from './endpoint-key.ts';
import { insertTestDelivery } from './log/delivery-log-queries.ts';
import { refuseUnlessOn } from './refuse-unless-on.ts';
import { testEvent } from './schema.ts';

const maxPerMinute = 10;

/**
 * Sends an event without meaning, to test a receiver. It is delivered like every other event, with the address
 * checks and the log, but attempted only once.
 *
 * @returns the id of the delivery, whose log shows the result
 * @throws ApiError 404 if there is no webhook, 422 while it is off, 429 after 10 per minute
 */
export async function sendTestEvent(
  { db, clock }: { db: Database; clock: Clock },
  endpoint: Endpoint,
): Promise<number> {
  await refuseUnlessOn(db, endpoint);
  const body = JSON.stringify({
    event: testEvent,
    data: { message: 'This is a test. Nothing has changed.', sent_at: clock.now().toISOString() },
  });
  const id = await withTenantLock(db, endpoint.tenantId, (tx) =>
    insertTestDelivery(tx, endpoint, testEvent, body, maxPerMinute),
  );
  if (id === undefined) {
    throw new ApiError('rate_limited', {
      message: fault(
        'too_many_tests',
        'The limit of {max} test events per minute is reached. Try again in a minute.',
        { max: maxPerMinute },
      ),
      retryAfterSeconds: 60,
    });
  }
  return id;
}
