import type { Config } from '../../config.ts';
import type { AutomatedSender } from '../../messages/sending/automated/send-automated.ts';
import type { Clock } from '../../platform/clock.ts';
import { createBatch } from '../../platform/database/batching.ts';
import { claimWork, leaseMs } from '../../platform/database/claim-work.ts';
import type { Database } from '../../platform/database/database.ts';
import { createKeyedSemaphore } from '../../platform/keyed-semaphore.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
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
/** When to look again after a message that is still on its way. */
const laterMs = 10_000;
/** Transactions of a tenant at once: the cores are there for requests that somebody waits for. */
const mostTransactions = 1;
/** Between two statements that write outcomes down; nobody waits for them. */
const settleRestMs = 50;
/** An event that was begun so much more often than the schedule has retries kills its process. */
const mostBrokenOff = 5;

/**
 * Processes the posts of stores until stopped.
 *
 * @param services.lookEveryMs longest time until a post that no notification told of is found
 * @returns stops claiming and waits for the events under way
 */
export function startProcessing(services: {
  db: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  config: Config;
  sender: AutomatedSender;
  lookEveryMs?: number;
}): () => Promise<void> {
  const { db, log, config } = services;
  const schedule = config.storeRetrySeconds;
  const turns = createTurns(config.storeEventsPerSecond);
  const settle = createBatch<Settlement, void>({
    run: async (settled) => {
      await settleStoreEvents(db.batched, settled);
      return [];
    },
    maxSize: 200,
    restMs: settleRestMs,
  });
  const transactions = createKeyedSemaphore(mostTransactions);

  async function claim(asked: { tenantId: number; most: number }[]): Promise<ClaimedEvent[]> {
    const timing = { leaseMs };
    const claimed = await claimStoreEvents(db.batched, asked, timing);
    const byTenant = Map.groupBy(claimed, (event) => event.tenant_id);
    for (const { tenantId, most } of asked) {
      const bytes = (byTenant.get(tenantId) ?? []).map(({ body }) => body.length);
      turns.claimed(tenantId, bytes, most);
    }
    return claimed;
  }

  async function work(event: ClaimedEvent): Promise<void> {
    const outcome = await tried(event);
    if (outcome === 'later') {
      return postponeStoreEvent(db, event, { ms: laterMs });
    }
    const settlement = settlementOf(event, outcome);
    await settle(settlement);
    const isRetried = settlement.retryInMs !== null;
    services.metrics.storeEvents.inc({ outcome: isRetried ? 'retried' : settlement.state });
  }

  async function tried(event: ClaimedEvent): Promise<Outcome | 'later'> {
    // One whose message was written down may be looked at often until it is known what became of that.
    if (event.attempts > schedule.length + 1 + mostBrokenOff && event.message_id === null) {
      return { state: 'failed', reason: 'Every attempt was interrupted.', again: false };
    }
    try {
      const lane = String(event.tenant_id);
      return await processEvent(
        { ...services, inTurn: (work) => transactions.withPermit(lane, work) },
        event,
      );
    } catch (err) {
      log.error({ err, tenantId: event.tenant_id, event: event.id }, 'a store event failed');
      return { state: 'failed', reason: 'An internal error occurred.', again: true };
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

  return claimWork<ClaimedEvent>({
    db,
    log,
    what: 'store events',
    channel: 'store_events',
    most: mostUnderWay,
    lookEveryMs: services.lookEveryMs,
    notified: (tenantId) => {
      if (tenantId) turns.expect(Number(tenantId));
    },
    look: async () => {
      for (const tenantId of await findStoreQueues(db.batched)) {
        turns.expect(tenantId);
      }
    },
    claim: (room) => {
      const asked = turns.ask().slice(0, room);
      return asked.length > 0 ? claim(asked) : undefined;
    },
    msUntilDue: turns.msUntilNext,
    work,
    finished: (event) => turns.finished(event.tenant_id),
    renew: (events) => renewStoreEvents(db.batched, events, { leaseMs }),
  });
}
