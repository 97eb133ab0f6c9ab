import { randomBytes } from 'node:crypto';
import { ApiError, notFound } from '../../errors.ts';
import type { Database } from '../../platform/database/database.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import { requeueStoreEvent } from '../activity/event-queries.ts';

/** Of a tenant; each is a copy of a post, of 2 MB at most. */
const mostWaiting = 100;

/**
 * Processes a stored event once more, as it came, by what its topic is set to do now. It is an
 * event of its own: a message that it makes is another message. One that failed and has a try to
 * come has it now instead, so that its message goes out once.
 *
 * @returns the id of the new event; of the same one where it had a try to come
 * @throws ApiError 404 when the event is not the tenant's, 429 while too many replays wait
 */
export async function replayEvent(
  { db }: { db: Database },
  tenantId: number,
  storeId: number,
  eventId: number,
): Promise<number> {
  const how = { dedupKey: randomBytes(32), mostWaiting };
  const id = await withTenantLock(db, tenantId, (tx) =>
    requeueStoreEvent(tx, tenantId, storeId, eventId, how),
  );
  if (id === undefined) throw notFound();
  if (id === null) {
    throw new ApiError('rate_limited', {
      message: `${mostWaiting} replays wait already. Try again when they are done.`,
      retryAfterSeconds: 60,
    });
  }
  return id;
}
