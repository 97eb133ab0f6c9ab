import { randomBytes } from 'node:crypto';
import type { Database } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import { requeueFailedEvents, requeueStoreEvent } from '../activity/replay-queries.ts';

/** Per tenant. Each replay is a copy of a post of up to 2 MB. */
const maxWaiting = 100;
/** The bodies that one statement copies. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Processes a stored event again, unchanged, with the current action of its topic, as a new event with a message of
 * its own. An event that failed and has a retry is retried now instead, so that its message is sent once.
 *
 * @returns the id of the new event, or of the same one if it had a retry
 * @throws ApiError 404 if the tenant has no such event, 429 while too many replays wait
 */
export async function replayEvent(
  { db }: { db: Database },
  tenantId: number,
  storeId: number,
  eventId: number,
): Promise<number> {
  const how = { dedupKey: randomBytes(32), maxWaiting };
  const id = await withTenantLock(db, tenantId, (tx) =>
    requeueStoreEvent(tx, tenantId, storeId, eventId, how),
  );
  if (id === undefined) throw notFound();
  if (id === null) throw tooManyReplays();
  return id;
}

/**
 * Replays the oldest failed events of a store that have sent nothing, up to 100. None of them sends a message that another
 * event has sent since.
 *
 * @returns how many, and whether there are more
 * @throws ApiError 429 while too many replays wait
 */
export async function replayFailedEvents(
  { db }: { db: Database },
  tenantId: number,
  storeId: number,
): Promise<{ replayed: number; more: boolean }> {
  const result = await withTenantLock(db, tenantId, (tx) =>
    requeueFailedEvents(tx, tenantId, storeId, { maxWaiting, maxBytes }),
  );
  if (result.replayed === 0 && result.more) throw tooManyReplays();
  return result;
}

function tooManyReplays(): ApiError {
  return new ApiError('rate_limited', {
    message: fault(
      'too_many_replays',
      '{max} replays wait already. Try again when they are done.',
      { max: maxWaiting },
    ),
    retryAfterSeconds: 60,
  });
}
