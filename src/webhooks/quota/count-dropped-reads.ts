import type { Database } from '../../platform/database/database.ts';
import { createFlusher } from '../../platform/jobs/flusher.ts';
import type { Log } from '../../platform/log.ts';
import { logFailure } from '../../platform/log-failure.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { addDroppedReads } from './quota-queries.ts';

const flushEveryMs = 3_000;

export type DroppedReads = ReturnType<typeof createDroppedReadCounter>;

/**
 * Counts the `contact.read` events that were dropped because the quota of their tenant was full. The counts are
 * collected in memory and added to PostgreSQL every few seconds, so that a flood of reads costs almost no
 * writes. A process that is killed loses the counts of its last seconds.
 */
export function createDroppedReadCounter(services: { db: Database; log: Log; metrics: Metrics }) {
  const { db, metrics } = services;
  let counts = new Map<number, number>();
  const { schedule, flush } = createFlusher(flushEveryMs, addCollected);

  function count(tenantId: number, events: number): void {
    metrics.droppedEvents.inc(events);
    add(tenantId, events);
  }

  function add(tenantId: number, events: number): void {
    counts.set(tenantId, (counts.get(tenantId) ?? 0) + events);
    schedule();
  }

  async function addCollected(): Promise<void> {
    const collected = counts;
    if (collected.size === 0) return;
    counts = new Map();
    try {
      await addDroppedReads(db.batched, collected);
    } catch (err) {
      logFailure(services, err, 'dropped events could not be counted; they are counted later');
      for (const [tenantId, events] of collected) add(tenantId, events);
    }
  }

  return { count, flush };
}
