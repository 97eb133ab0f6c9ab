import type { Database } from '../../platform/database/database.ts';
import { createFlusher } from '../../platform/jobs/flusher.ts';
import type { Log } from '../../platform/log.ts';
import { logFailure } from '../../platform/log-failure.ts';
import { addRefusals, type Refusals } from '../activity/metric-queries.ts';
import type { KnownStore } from './find-store.ts';

const flushEveryMs = 1_000;

/**
 * Counts the posts that are not stored: refused posts and pings. The counts are collected in memory and added to the
 * store's hours once a second, so that a flood of bad posts costs few writes. A process that is killed loses the
 * counts of its last second.
 */
export function createRefusalCounter({ db, log }: { db: Database; log: Log }) {
  let counts = new Map<string, Refusals>();
  const { schedule, flush } = createFlusher(flushEveryMs, addCounted);

  function entry({ tenantId, id }: Pick<KnownStore, 'tenantId' | 'id'>): Refusals {
    const key = `${tenantId} ${id}`;
    const counted = counts.get(key) ?? {
      tenantId,
      storeId: id,
      refused: 0,
      pings: 0,
      reason: null,
    };
    counts.set(key, counted);
    schedule();
    return counted;
  }

  async function addCounted(): Promise<void> {
    const batch = [...counts.values()];
    if (batch.length === 0) return;
    counts = new Map();
    try {
      await addRefusals(db.batched, batch);
    } catch (err) {
      logFailure(
        { db, log },
        err,
        'refused posts of stores could not be counted; they are counted later',
      );
      for (const counted of batch) keepForLater(counted);
    }
  }

  function keepForLater(counted: Refusals): void {
    const newer = entry({ tenantId: counted.tenantId, id: counted.storeId });
    newer.refused += counted.refused;
    newer.pings += counted.pings;
    newer.reason ??= counted.reason;
  }

  return {
    count(store: KnownStore, reason: string) {
      const counted = entry(store);
      counted.refused++;
      counted.reason = reason;
    },
    countPing(store: KnownStore) {
      entry(store).pings++;
    },
    flush,
  };
}
