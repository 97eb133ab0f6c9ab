import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { addUsage, type TokenUsage } from './usage-queries.ts';

const flushEveryMs = 3_000;
const counts = ['requests', 'refusals', 'failures', 'texts', 'media', 'templates'] as const;

/** A request that was answered. */
export type Answered = {
  tenantId: number;
  tokenId: number;
  /** HTTP status of the answer. */
  status: number;
  /** Of the message that it sent, if it sent one. */
  sent: 'text' | 'media' | 'template' | undefined;
};

/**
 * Gathers what tokens do and adds it to their days every few seconds, in one statement: people look
 * at it, no limit depends on it. A process that is killed takes its last seconds along.
 */
export function createUsageGatherer({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
  let gathered = new Map<string, TokenUsage>();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();

  function add(usage: TokenUsage): void {
    const key = `${usage.tokenId} ${usage.day}`;
    const kept = gathered.get(key);
    if (!kept) {
      gathered.set(key, usage);
      return;
    }
    if (usage.lastUsedAt > kept.lastUsedAt) kept.lastUsedAt = usage.lastUsedAt;
    for (const count of counts) kept[count] += usage[count];
  }

  async function addGathered(): Promise<void> {
    const batch = gathered;
    gathered = new Map();
    if (batch.size === 0) return;
    try {
      await addUsage(db.batched, [...batch.values()]);
    } catch (err) {
      log.warn({ err }, 'usage could not be added; it is added later');
      for (const usage of batch.values()) add(usage);
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    underWay = underWay.then(addGathered);
    return underWay;
  }

  return {
    note({ tenantId, tokenId, status, sent }: Answered): void {
      const now = clock.now();
      add({
        tenantId,
        tokenId,
        day: now.toISOString().slice(0, 10),
        lastUsedAt: now,
        requests: 1,
        refusals: status >= 400 && status < 500 ? 1 : 0,
        failures: status >= 500 ? 1 : 0,
        texts: sent === 'text' ? 1 : 0,
        media: sent === 'media' ? 1 : 0,
        templates: sent === 'template' ? 1 : 0,
      });
      timer ??= setTimeout(flush, flushEveryMs).unref();
    },
    /** Adds what is gathered now; to be awaited before the database closes. */
    flush,
  };
}
