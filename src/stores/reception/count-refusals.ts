import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { addRefusals, type Refusals } from '../activity/metric-queries.ts';
import type { KnownStore } from './find-store.ts';

const flushEveryMs = 1_000;

/**
 * Counts the posts that are not stored: refused posts and pings. The counts are collected in memory and added to the
 * store's hours once a second, so that a flood of bad posts costs few writes. If the process dies, the counts of the
 * last second are lost.
 */
export function createRefusalCounter({ db, log }: { db: Database; log: Log }) {
  let counts = new Map<string, Refusals>();
  let timer: NodeJS.Timeout | undefined;

  function entry({ tenantId, id }: KnownStore): Refusals {
    const key = `${tenantId} ${id}`;
    const counted = counts.get(key) ?? {
      tenantId,
      storeId: id,
      refused: 0,
      pings: 0,
      reason: null,
    };
    counts.set(key, counted);
    timer ??= setTimeout(flush, flushEveryMs).unref();
    return counted;
  }

  /** Adds the counts to the database. A failure is logged and loses only these counts. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = [...counts.values()];
    counts = new Map();
    if (batch.length === 0) return;
    await addRefusals(db.batched, batch).catch((err) =>
      log.warn({ err }, 'refused store posts were not counted'),
    );
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
