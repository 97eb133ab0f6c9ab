import { randomBytes } from 'node:crypto';
import { notFound } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database.ts';
import { copyStoreEvent } from '../activity/event-queries.ts';

/**
 * Processes a stored event once more, as it came, by what its topic is set to do now. It is an
 * event of its own: a message that it makes is another message.
 *
 * @returns the new event's id
 * @throws ApiError 404 when the event is not the tenant's
 */
export async function replayEvent(
  { db, clock }: { db: Db; clock: Clock },
  tenantId: number,
  storeId: number,
  eventId: number,
): Promise<number> {
  const id = await copyStoreEvent(db, tenantId, storeId, eventId, {
    dedupKey: randomBytes(32),
    clockOffsetMs: clock.offsetMs,
  });
  if (id === undefined) throw notFound();
  return id;
}
