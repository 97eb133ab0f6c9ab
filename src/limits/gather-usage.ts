import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { createFlusher } from '../platform/jobs/flusher.ts';
import type { Log } from '../platform/log.ts';
import { logFailure } from '../platform/log-failure.ts';
import { tokenKey } from './token-counts.ts';
import { addUsage, type TokenUsage } from './usage-queries.ts';

const flushEveryMs = 3_000;
const dayMs = 86_400_000;

/** The kinds of sends, each with the counter of a token's usage that counts it. */
const counterOf = {
  text: 'texts',
  interactive: 'texts',
  media: 'media',
  template: 'templates',
} as const;
const counters = [...new Set(Object.values(counterOf))];

export type SentKind = keyof typeof counterOf;
type Gathered = Omit<TokenUsage, 'day' | 'lastUsedAt'> & { dayNumber: number; lastUsedMs: number };

/**
 * Creates a collector of the tokens' usage, which adds it to their days every few seconds, in one
 * statement. Usage is only displayed, no limit depends on it. A process that is killed loses its
 * last seconds.
 */
export function createUsageGatherer({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
  /** Usage since the last flush by token, each of one day. */
  let current = new Map<string, Gathered>();
  /**
   * Usage of days that have ended since the last flush, and usage that a failed flush could not
   * add.
   */
  let waiting: Gathered[] = [];
  const { schedule, flush } = createFlusher(flushEveryMs, addGathered);

  function of(tenantId: number, tokenId: number, dayNumber: number): Gathered {
    const key = tokenKey({ tenantId, tokenId });
    const existing = current.get(key);
    if (existing?.dayNumber === dayNumber) return existing;
    if (existing) waiting.push(existing);
    const counts = { requests: 0, refusals: 0, failures: 0, texts: 0, media: 0, templates: 0 };
    const usage = { tenantId, tokenId, dayNumber, lastUsedMs: 0, ...counts };
    current.set(key, usage);
    return usage;
  }

  async function addGathered(): Promise<void> {
    // Merged, so that it does not grow while the database is unreachable for hours.
    const batch = mergeDays([...waiting, ...current.values()]);
    if (batch.length === 0) return;
    waiting = [];
    current = new Map();
    try {
      await addUsage(db.batched, batch.map(usageOf));
    } catch (err) {
      logFailure({ db, log }, err, 'usage could not be added; it is added later');
      waiting = [...batch, ...waiting];
      schedule();
    }
  }

  return {
    /**
     * Notes a request that was responded to.
     *
     * @param status of the response
     * @param sent the kind of the message that the network accepted for it, if it was a send
     */
    note(tenantId: number, tokenId: number, status: number, sent: SentKind | undefined): void {
      const nowMs = clock.now().getTime();
      const usage = of(tenantId, tokenId, Math.floor(nowMs / dayMs));
      usage.lastUsedMs = nowMs;
      usage.requests++;
      if (status >= 500) usage.failures++;
      else if (status >= 400) usage.refusals++;
      if (sent) usage[counterOf[sent]]++;
      schedule();
    },
    /** Adds the collected usage; to be awaited before the database closes. */
    flush,
  };
}

/** Merges usage to one entry for each token and day. */
function mergeDays(gathered: Gathered[]): Gathered[] {
  const merged = new Map<string, Gathered>();
  for (const usage of gathered) {
    const key = `${tokenKey(usage)} ${usage.dayNumber}`;
    const earlier = merged.get(key);
    if (!earlier) {
      merged.set(key, { ...usage });
      continue;
    }
    earlier.lastUsedMs = Math.max(earlier.lastUsedMs, usage.lastUsedMs);
    earlier.requests += usage.requests;
    earlier.refusals += usage.refusals;
    earlier.failures += usage.failures;
    for (const counter of counters) earlier[counter] += usage[counter];
  }
  return [...merged.values()];
}

function usageOf({ dayNumber, lastUsedMs, ...usage }: Gathered): TokenUsage {
  const day = new Date(dayNumber * dayMs).toISOString().slice(0, 10);
  return { ...usage, day, lastUsedAt: new Date(lastUsedMs) };
}
