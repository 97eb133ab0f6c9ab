import type { Config } from '../../config.ts';
import { type AutomatedSender, resumeMs } from '../../messages/sending/automated/send-automated.ts';
import type { Clock } from '../../platform/clock.ts';
import { createKeyedSemaphore } from '../../platform/concurrency/keyed-semaphore.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import { attemptsInterrupted } from '../../platform/errors/common-faults.ts';
import { fault } from '../../platform/errors/fault.ts';
import { claimWork, leaseMs } from '../../platform/jobs/claim-work.ts';
import { renewLeases } from '../../platform/jobs/renew-leases.ts';
import type { WorkInProgress } from '../../platform/jobs/work-in-progress.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import {
  type ClaimedEvent,
  claimStoreEvents,
  findStoreQueues,
  storeEventQueue,
} from './claim-events.ts';
import { type EventServices, type Outcome, processEvent } from './process-event.ts';
import { createEventRateLimits, type EventGrant } from './rate-limits.ts';
import { postponeStoreEvent, type Settlement, settleStoreEvents } from './settle-events.ts';

/** Concurrent events of a process. */
const maxInFlight = 32;
/** Concurrent transactions per tenant, because requests have priority for the CPU. */
const maxTransactions = 1;
/** The pause between two statements that store outcomes. Nobody waits for these. */
const settleRestMs = 50;
/** After this many attempts beyond the schedule without an outcome, the event probably crashes its process. */
const maxInterruptions = 5;

const internalError = fault('internal_error_of_event', 'An internal error occurred.');

/**
 * Processes the posts of stores until stopped.
 *
 * @param services.lookEveryMs how often to poll for posts whose notification was missed
 * @returns a function that stops claiming and waits for the events in flight
 */
export function startProcessing(services: {
  db: Database;
  clock: Clock;
  log: Log;
  inProgress: WorkInProgress;
  metrics: Metrics;
  tracing: Tracing;
  config: Config;
  sender: AutomatedSender;
  lookEveryMs?: number;
}): () => Promise<void> {
  const { db, log, config } = services;
  const schedule = config.storeRetrySeconds;
  const limits = createEventRateLimits(config.storeEventsPerSecond);
  const settle = createBatch<Settlement, void>({
    run: (settled) => settleStoreEvents(db.batched, settled),
    maxSize: 200,
    restMs: settleRestMs,
  });
  const transactions = createKeyedSemaphore(maxTransactions);

  async function claim(grants: EventGrant[]): Promise<ClaimedEvent[]> {
    const timing = { leaseMs };
    const claimed = await claimStoreEvents(db.batched, grants, timing);
    const byTenant = Map.groupBy(claimed, (event) => event.tenant_id);
    for (const grant of grants) {
      const bytes = (byTenant.get(grant.tenantId) ?? []).map(({ body }) => body.length);
      limits.recordClaim(grant, bytes);
    }
    return claimed;
  }

  async function work(event: ClaimedEvent): Promise<void> {
    const outcome = await services.tracing.span(
      'process a store event',
      { kind: 'consumer', attributes: attributesOf(event) },
      () => attempt(event),
      (ended) => ({ 'parley.outcome': ended === 'later' ? ended : ended.state }),
    );
    if (outcome === 'later') {
      return postponeStoreEvent(db, event, { ms: resumeMs(event.attempts) });
    }
    const settlement = settlementOf(event, outcome);
    await settle(settlement);
    const isRetried = settlement.retryInMs !== null;
    services.metrics.storeEvents.inc({ outcome: isRetried ? 'retried' : settlement.state });
  }

  async function attempt(event: ClaimedEvent): Promise<Outcome | 'later'> {
    // If a message was stored, an attempt only looks for its outcome, perhaps many times.
    if (event.attempts > schedule.length + 1 + maxInterruptions && event.message_id === null) {
      return { state: 'failed', reason: attemptsInterrupted, again: false };
    }
    try {
      const key = String(event.tenant_id);
      const withPermit: EventServices['withPermit'] = (work) => transactions.withPermit(key, work);
      return await processEvent({ ...services, withPermit }, event);
    } catch (err) {
      log.error({ err, tenantId: event.tenant_id, event: event.id }, 'a store event failed');
      return { state: 'failed', reason: internalError, again: true };
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
      resourceNumber: outcome.resourceNumber ?? null,
      phone: outcome.phone ?? null,
      retryInMs: retrySeconds === undefined ? null : retrySeconds * 1_000,
      messagesSent: outcome.messageSent ? 1 : 0,
    };
  }

  return claimWork<ClaimedEvent>({
    db,
    log,
    inProgress: services.inProgress,
    what: 'store events',
    channel: 'store_events',
    maxInFlight,
    lookEveryMs: services.lookEveryMs,
    onNotify: (tenantId) => {
      if (tenantId) limits.markDue(Number(tenantId));
    },
    findWork: async () => {
      for (const tenantId of await findStoreQueues(db.batched)) {
        limits.markDue(tenantId);
      }
    },
    claim: (room) => {
      const grants = limits.grantClaims(room);
      return grants.length > 0 ? claim(grants) : undefined;
    },
    msUntilDue: limits.msUntilDue,
    work,
    onFinished: (event) => limits.recordFinished(event.tenant_id),
    renew: (events) => renewLeases(db.batched, storeEventQueue, events, { leaseMs }),
  });
}

function attributesOf(event: ClaimedEvent) {
  return {
    'parley.tenant_id': event.tenant_id,
    'parley.store_event_id': event.id,
    'parley.platform': event.platform,
    'parley.attempts': event.attempts,
  };
}
