import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { announceEvents } from './reception-queries.ts';

/** Most often that a process wakes the workers of all processes. */
const restMs = 100;

/**
 * Tells the workers of whom posts were written down: at once after a pause, and gathered in a
 * flood, whose tenant they know of already. What is not told, because the process died, they find
 * by looking.
 */
export function createAnnouncer({ db, log }: { db: Database; log: Log }) {
  let tenantIds = new Set<number>();
  let timer: NodeJS.Timeout | undefined;

  function tell(): void {
    timer = undefined;
    if (tenantIds.size === 0) return;
    const told = [...tenantIds];
    tenantIds = new Set();
    timer = setTimeout(tell, restMs).unref();
    announceEvents(db.batched, told).catch((err) =>
      log.warn({ err }, 'workers were not told of store posts; they find them by looking'),
    );
  }

  return (tenantId: number): void => {
    tenantIds.add(tenantId);
    if (!timer) tell();
  };
}
