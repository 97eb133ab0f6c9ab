import { createTtlCache } from '../../platform/concurrency/ttl-cache.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { storeHeard, storeUnheard } from '../checking/queries.ts';

/** The evidence that the network reports to a number. */
export type Hearing = {
  id: number;
  /** Whether a message has arrived since it was connected, which proves that it works. */
  isProven: boolean;
  isHeardThisMinute: boolean;
  /** Whether it has sent since anything was heard. */
  isUnheard: boolean;
  /** When a message last failed because of the number; null if a later one was delivered. */
  failedAt: string | null;
};

/**
 * Creates a recorder of what the network reports about numbers. It writes at most about once a minute for each number,
 * except for the first message, which proves that the number works, and the first report after a silence.
 */
export function createHeardRecorder({ db }: { db: Db }) {
  // A number stays as it was in the cache of numbers for a moment.
  const recent = createTtlCache<true>();

  return async function recordHeard(
    tenantId: number,
    { id, isProven, isHeardThisMinute, isUnheard }: Hearing,
    isMessage: boolean,
  ): Promise<void> {
    if (isHeardThisMinute && !isUnheard && (isProven || !isMessage)) return;
    const key = `${tenantId} ${id} ${isMessage}`;
    if (recent.get(key)) return;
    recent.set(key, true);
    try {
      await storeHeard(db, tenantId, id, isMessage);
    } catch (error) {
      recent.delete(key);
      throw error;
    }
  };
}

/**
 * Records that a number has sent, so that it can be seen if nothing is heard from then on. Never throws, because the
 * message is already sent.
 *
 * @param hearing that of the cached number: it is changed too, so that the next sends need no statement
 */
export async function recordUnheard(
  { db, log }: { db: Db; log: Log },
  tenantId: number,
  hearing: Hearing,
): Promise<void> {
  if (hearing.isHeardThisMinute || hearing.isUnheard) return;
  hearing.isUnheard = true;
  try {
    await storeUnheard(db, tenantId, hearing.id);
  } catch (err) {
    hearing.isUnheard = false;
    log.warn({ tenantId, numberId: hearing.id, err }, 'could not record that a number has sent');
  }
}
