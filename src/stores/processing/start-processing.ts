import type { Config } from '../../config.ts';
import type { UnaskedSender } from '../../messages/sending/send-unasked.ts';
import { createBatch } from '../../platform/batching.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { createGate } from '../../platform/gate.ts';
import type { Log } from '../../platform/log.ts';
import { createSleeper } from '../../platform/sleeper.ts';
import { type Outcome, processEvent } from './process-event.ts';
import {
  type ClaimedEvent,
  claimStoreEvents,
  findStoreQueues,
  postponeStoreEvent,
  renewStoreEvents,
  type Settlement,
  settleStoreEvents,
} from './queue-queries.ts';
import { createTurns } from './turns.ts';

/** Most events under way in a process. */
const mostUnderWay = 32;
/** How often to look for what no notification told of: retries, and what other processes left. */
const lookEveryMs = 1_000;
/** When to look again after a message that is still on its way. */
const laterMs = 10_000;
/** After so long another process takes up what one that died had in hand; renewed while it works. */
const leaseMs = 10_000;
const renewEveryMs = 3_000;
/** Transactions of a tenant at once: the cores are there for requests that somebody waits for. */
const mostTransactions = 1;
/** Between two statements that write outcomes down; nobody waits for them. */
const settleRestMs = 50;
/** An event that was begun so much more often than the schedule has retries kills its process. */
const mostBrokenOff = 5;

/**
 * Processes the posts of stores until stopped: the one claimer of this process. It sleeps until a
 * commit that wrote posts down notifies it, or something it knows of may be taken up.
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
  const turns = createTurns(config.storeEventsPerSecond);
  const running = new Map<ClaimedEvent, Promise<void>>();
  let stopped = false;
  const { sleep, wake } = createSleeper();
  let tick: NodeJS.Timeout | undefined;

  const settle = createBatch<Settlement, void>({
    run: async (settled) => {
      await settleStoreEvents(db.batched, settled, clock.offsetMs);
      return [];
    },
    maxSize: 200,
    restMs: settleRestMs,
  });
  const inTurn = createGate(mostTransactions);

  async function claimAll(): Promise<void> {
    while (!stopped) {
      const room = mostUnderWay - running.size;
      const asked = room > 0 ? turns.ask() : [];
      if (asked.length === 0) {
        await sleep(room > 0 ? turns.msUntilNext() : lookEveryMs);
        continue;
      }
      try {
        await claim(asked.slice(0, room));
      } catch (err) {
        log.error({ err }, 'claiming store events failed');
        await sleep(lookEveryMs);
      }
    }
  }

  async function claim(asked: { tenantId: number; most: number }[]): Promise<void> {
    const timing = { leaseMs, clockOffsetMs: clock.offsetMs };
    const claimed = await claimStoreEvents(db.batched, asked, timing);
    const counts = Map.groupBy(claimed, (event) => event.tenant_id);
    for (const { tenantId, most } of asked) {
      turns.claimed(tenantId, counts.get(tenantId)?.length ?? 0, most);
    }
    for (const event of claimed) {
      const task: Promise<void> = work(event).finally(() => {
        turns.finished(event.tenant_id);
        running.delete(event);
        wake();
      });
      running.set(event, task);
    }
  }

  async function work(event: ClaimedEvent): Promise<void> {
    try {
      const outcome = await tried(event);
      if (outcome !== 'later') return await settle(settlementOf(event, outcome));
      await postponeStoreEvent(db, event, { ms: laterMs, clockOffsetMs: clock.offsetMs });
    } catch (err) {
      // Its lease runs out, and it is tried again.
      log.error({ err, tenantId: event.tenant_id, event: event.id }, 'a store event broke off');
    }
  }

  async function tried(event: ClaimedEvent): Promise<Outcome | 'later'> {
    if (event.attempts > schedule.length + 1 + mostBrokenOff) {
      return { state: 'failed', reason: 'Every try of it broke off.', again: false };
    }
    try {
      const lane = String(event.tenant_id);
      return await processEvent({ ...services, inTurn: (work) => inTurn(lane, work) }, event);
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
      attempts: event.attempts,
      state: outcome.state,
      reason: outcome.reason,
      contactId: outcome.contactId ?? null,
      retryInMs: retrySeconds === undefined ? null : retrySeconds * 1_000,
      messagesSent: outcome.messageSent ? 1 : 0,
    };
  }

  /** Finds what no notification told of. */
  async function look(): Promise<void> {
    try {
      for (const tenantId of await findStoreQueues(db.batched, clock.offsetMs)) {
        turns.expect(tenantId);
      }
      wake();
    } catch (err) {
      log.error({ err }, 'looking for due store events failed');
    }
    if (!stopped) tick = setTimeout(() => void look(), lookEveryMs);
  }

  const listening = db
    .listen('store_events', (tenantId) => {
      if (tenantId) turns.expect(Number(tenantId));
      wake();
    })
    .catch((err) =>
      log.error({ err }, 'no notifications of store posts; they are found by looking'),
    );
  const claiming = claimAll();
  void look();
  const renewal = setInterval(() => {
    if (running.size === 0) return;
    const lease = { leaseMs, clockOffsetMs: clock.offsetMs };
    renewStoreEvents(db.batched, [...running.keys()], lease).catch((err) =>
      log.error({ err }, 'renewing the leases of store events failed'),
    );
  }, renewEveryMs);

  return async () => {
    stopped = true;
    clearTimeout(tick);
    wake();
    (await listening)?.();
    await claiming;
    await Promise.all(running.values());
    clearInterval(renewal);
  };
}
