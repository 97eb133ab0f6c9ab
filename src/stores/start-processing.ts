import type { Config } from '../config.ts';
import type { UnaskedSender } from '../messages/send-unasked.ts';
import { createBatch } from '../platform/batching.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import { type Outcome, processEvent } from './process-event.ts';
import {
  type ClaimedEvent,
  claimStoreEvents,
  findStoreQueues,
  postponeStoreEvent,
  type Settlement,
  settleStoreEvents,
} from './queue-queries.ts';

/** Most events of one tenant under way in a process: a flood of one store is no one else's. */
const mostOfTenant = 2;
/** Most events under way in a process. */
const mostUnderWay = 32;
/** How often to look for what no notification told of: retries, and what other processes left. */
const lookEveryMs = 1_000;
/** When to look again after a message that is still on its way. */
const laterMs = 10_000;
/** On top of the longest call of the network: checking a file, and the statements. */
const leaseSlackMs = 40_000;
/** An event that was begun so much more often than the schedule has retries kills its process. */
const mostBrokenOff = 5;

/**
 * Processes the posts of stores until stopped: the one claimer of this process. It sleeps until a
 * commit that wrote posts down notifies it, or for a second.
 *
 * @returns stops claiming and waits for the events under way
 */
export function startProcessing(services: {
  db: Database;
  clock: Clock;
  log: Log;
  config: Config;
  sender: UnaskedSender;
}): () => Promise<void> {
  const { db, clock, log, config } = services;
  const schedule = config.storeRetrySeconds;
  const leaseMs = config.networkTimeoutMs + leaseSlackMs;
  const underWay = new Map<number, number>();
  const running = new Set<Promise<void>>();
  let stopped = false;
  let isStale = true;
  let wake = () => {};

  const settle = createBatch<Settlement, void>({
    run: async (settled) => {
      await settleStoreEvents(db.batched, settled, clock.offsetMs);
      return [];
    },
    maxSize: 200,
  });

  async function claimAll(): Promise<void> {
    while (!stopped) {
      if (!isStale || running.size >= mostUnderWay) {
        await sleep();
        continue;
      }
      isStale = false;
      try {
        await claim();
      } catch (err) {
        log.error({ err }, 'claiming store events failed');
        await sleep();
      }
    }
  }

  async function claim(): Promise<void> {
    const tenants = await findStoreQueues(db.batched, clock.offsetMs);
    const asked = tenants
      .map((tenantId) => ({ tenantId, most: mostOfTenant - (underWay.get(tenantId) ?? 0) }))
      .filter(({ most }) => most > 0)
      .slice(0, mostUnderWay);
    if (asked.length === 0) return;
    const timing = { leaseMs, clockOffsetMs: clock.offsetMs };
    for (const event of await claimStoreEvents(db.batched, asked, timing)) {
      const task: Promise<void> = work(event).finally(() => {
        running.delete(task);
        isStale = true;
        wake();
      });
      running.add(task);
    }
  }

  async function work(event: ClaimedEvent): Promise<void> {
    const { tenant_id: tenantId } = event;
    underWay.set(tenantId, (underWay.get(tenantId) ?? 0) + 1);
    try {
      const outcome = await tried(event);
      if (outcome !== 'later') return await settle(settlementOf(event, outcome));
      await postponeStoreEvent(db, event, { ms: laterMs, clockOffsetMs: clock.offsetMs });
    } catch (err) {
      // Its lease runs out, and it is tried again.
      log.error({ err, tenantId, event: event.id }, 'a store event broke off');
    } finally {
      const left = (underWay.get(tenantId) ?? 1) - 1;
      if (left > 0) underWay.set(tenantId, left);
      else underWay.delete(tenantId);
    }
  }

  async function tried(event: ClaimedEvent): Promise<Outcome | 'later'> {
    if (event.attempts > schedule.length + 1 + mostBrokenOff) {
      return { state: 'failed', reason: 'Every try of it broke off.', again: false };
    }
    try {
      return await processEvent(services, event);
    } catch (err) {
      log.error({ err, tenantId: event.tenant_id, event: event.id }, 'a store event failed');
      return { state: 'failed', reason: 'Something went wrong on our side.', again: true };
    }
  }

  function settlementOf(event: ClaimedEvent, outcome: Outcome): Settlement {
    const retrySeconds = outcome.again ? schedule[event.attempts - 1] : undefined;
    return {
      tenantId: event.tenant_id,
      storeId: event.store_id,
      id: event.id,
      state: outcome.state,
      reason: outcome.reason,
      contactId: outcome.contactId ?? null,
      retryInMs: retrySeconds === undefined ? null : retrySeconds * 1_000,
      messagesSent: outcome.messageSent ? 1 : 0,
    };
  }

  /** Until woken, and no longer than until the next look. */
  function sleep(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        isStale = true;
        resolve();
      }, lookEveryMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  const listening = db
    .listen('store_events', () => {
      isStale = true;
      wake();
    })
    .catch((err) =>
      log.error({ err }, 'no notifications of store posts; they are found by looking'),
    );
  const claiming = claimAll();

  return async () => {
    stopped = true;
    wake();
    await (await listening)?.();
    await claiming;
    await Promise.all(running);
  };
}
