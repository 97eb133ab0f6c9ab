import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { announceEvents } from './reception-queries.ts';

/** The pause between two notifications of a process. Each notification wakes the workers of all processes. */
const restMs = 100;

/**
 * Notifies the workers of the tenants with new posts: immediately after a pause, and batched during a flood.
 * If the process dies before a notification, the workers find the posts by polling.
 */
export function createAnnouncer({ db, log }: { db: Database; log: Log }) {
  let tenantIds = new Set<number>();
  let timer: NodeJS.Timeout | undefined;

  function notify(): void {
    timer = undefined;
    if (tenantIds.size === 0) return;
    const batch = [...tenantIds];
    tenantIds = new Set();
    timer = setTimeout(notify, restMs).unref();
    announceEvents(db.batched, batch).catch((err) =>
      log.warn({ err }, 'workers were not notified of store posts; they find them by polling'),
    );
  }

  return (tenantId: number): void => {
    tenantIds.add(tenantId);
    if (!timer) notify();
  };
}
