import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { logFailure } from '../../platform/log-failure.ts';
import { findNewestPositions } from './queries.ts';

/** How often to look for events whose notification was missed. */
const lookEveryMs = 1_000;

/** A reader at the end of a log. */
type Waiting = { after: number; wake(): void };

export type EventWaiter = ReturnType<typeof createEventWaiter>;

/**
 * Lets readers wait for events. The notification of the publisher wakes those of its tenants; besides, all readers
 * of this process share one statement a second.
 */
export function createEventWaiter(services: { db: Database; log: Log }) {
  const { db } = services;
  const byTenant = new Map<number, Set<Waiting>>();
  let listening: Promise<unknown> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let notifications = 0;

  function wakeTenant(tenantId: number, newest = Number.POSITIVE_INFINITY): void {
    for (const waiting of byTenant.get(tenantId) ?? []) {
      if (newest > waiting.after) waiting.wake();
    }
  }

  function wakeAll(): void {
    for (const tenantId of byTenant.keys()) wakeTenant(tenantId);
  }

  function onNotify(payload: string): void {
    notifications++;
    if (payload === '') wakeAll();
    else for (const id of payload.split(' ')) wakeTenant(Number(id));
  }

  async function look(): Promise<void> {
    try {
      const found = await findNewestPositions(db.batched, [...byTenant.keys()]);
      for (const { tenant_id: tenantId, newest } of found) wakeTenant(tenantId, newest);
    } catch (err) {
      logFailure(services, err, 'looking for new events failed');
    }
    timer = undefined;
    lookLater();
  }

  function lookLater(): void {
    if (byTenant.size === 0) return;
    timer ??= setTimeout(look, lookEveryMs).unref();
  }

  return {
    /** Begins to listen. Returns how many notifications there were, for `wait` after the next look at the log. */
    async listen(): Promise<number> {
      listening ??= db.listen('events', onNotify);
      await listening;
      return notifications;
    },

    /**
     * Waits for an event after a position of the tenant's log, for at most `ms`, and while the client is there.
     *
     * @param heard the notifications before the look at the log: with a later one it does not wait
     */
    async wait(
      { tenantId, after, heard }: { tenantId: number; after: number; heard: number },
      ms: number,
      signal: AbortSignal,
    ): Promise<void> {
      if (isClosed || signal.aborted || heard !== notifications) return;
      const own = byTenant.get(tenantId) ?? new Set();
      byTenant.set(tenantId, own);
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(limit);
          signal.removeEventListener('abort', wake);
          own.delete(waiting);
          if (own.size === 0) byTenant.delete(tenantId);
          resolve();
        };
        const waiting: Waiting = { after, wake };
        const limit = setTimeout(wake, ms);
        signal.addEventListener('abort', wake);
        own.add(waiting);
        lookLater();
      });
    },

    /** Whether all waits have ended. */
    isClosed: () => isClosed,

    /** Ends all waits, now and in future, so that the service can stop. */
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      wakeAll();
    },
  };
}
