import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import { claimWork } from '../../platform/jobs/claim-work.ts';
import type { WorkInProgress } from '../../platform/jobs/work-in-progress.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import { endpointKey, readEndpointKey } from '../endpoint-key.ts';
import { type OrderedPerson, releaseLeftBehind, releaseNext } from '../ordering/order-queries.ts';
import { createSecretOpener } from '../secrets/open-secrets.ts';
import { webhookId } from '../webhook-id.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  endpointOf,
  findQueues,
  releaseAbandoned,
  releaseDeliveries,
} from './claim-deliveries.ts';
import { type ClaimerLock, lockAsClaimer } from './claimer-lock.ts';
import { type ClaimGrant, createConcurrencyLimits } from './concurrency-limits.ts';
import { createBatchExpander } from './expand-batches.ts';
import { type AttemptResult, recordAttempts } from './record-attempts.ts';

/** Added to the timeout of a call, because a lease must last until the result is stored. */
const leaseSlackMs = 5_000;
/** How often to poll for retries, and for deliveries that other processes abandoned. */
const lookEveryMs = 1_000;
/** How long a process that ends waits for calls in flight. */
const closeWithinMs = 1_000;
/** Persons at ordered endpoints that one sweep looks at. */
const maxSwept = 1_000;
/** Concurrent deliveries of a process. */
const maxInFlight = 1_000;
/** A webhook whose attempts have all failed for this long is switched off. */
const offAfterMs = 5 * 24 * 60 * 60 * 1000;

/**
 * Delivers waiting events until stopped. It is the only claimer of this process. It sleeps until a commit that
 * recorded events notifies it or a known delivery is due.
 *
 * @returns a function that stops claiming, waits briefly for calls in flight, and releases the rest
 */
export function startDelivering(services: {
  db: Database;
  clock: Clock;
  vault: Vault;
  log: Log;
  inProgress: WorkInProgress;
  metrics: Metrics;
  tracing: Tracing;
  outbound: Outbound;
  config: Config;
}): () => Promise<void> {
  const { db, log, metrics, tracing, config } = services;
  const { webhookTimeoutMs: timeoutMs, webhookScheduleSeconds: scheduleSeconds } = config;
  const limits = createConcurrencyLimits();
  const openSecrets = createSecretOpener(services.vault);
  /** Turns batches of events into deliveries, whose notification wakes the claimer. */
  const expand = createBatchExpander(services, () => stopped);
  let lock: ClaimerLock | undefined;
  let stopped = false;
  /** Deliveries that failed after the stop, possibly because of it. */
  const interrupted: ClaimedDelivery[] = [];
  /** Other processes may have claimed the deliveries that were in flight. */
  let isReleased = false;

  const record = createBatch<AttemptResult, void>({
    run: async (results) => {
      const off = await recordAttempts(db.batched, results, { offAfterMs });
      for (const { tenant_id: tenantId, name, off_reason: reason } of off) {
        log.warn({ tenantId, endpoint: name, reason }, 'a webhook was switched off');
      }
    },
    maxSize: 500,
  });

  /** Makes the next deliveries of persons due, whose previous ones have ended. */
  const release = createBatch<OrderedPerson, void>({
    run: (persons) => releaseNext(db.batched, persons),
    maxSize: 500,
  });
  /** Where the sweep of persons goes on. */
  let swept: OrderedPerson | undefined;

  async function claim(grants: ClaimGrant[]): Promise<ClaimedDelivery[]> {
    const { id: claimer } = lock ?? (await lockAndRelease());
    const claimed = await claimDeliveries(
      db.batched,
      grants,
      { ms: timeoutMs + leaseSlackMs, claimer },
      { firstDelayMs: (scheduleSeconds[0] ?? 0) * 1000 },
    );
    const byEndpoint = Map.groupBy(claimed, (delivery) => endpointKey(endpointOf(delivery)));
    for (const grant of grants) {
      limits.recordClaim(grant, byEndpoint.get(grant.endpoint)?.length ?? 0);
    }
    return claimed;
  }

  /** Registers this process as living, which it must be to claim, and releases the leases of dead ones. */
  async function lockAndRelease(): Promise<ClaimerLock> {
    lock = await lockAsClaimer(db);
    const count = await releaseAbandoned(db.batched);
    if (count > 0) log.info({ count }, 'abandoned deliveries were released');
    return lock;
  }

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const endpoint = endpointKey(endpointOf(delivery));
    let isDelivered = false;
    try {
      const options = { ...services, timeoutMs, scheduleSeconds };
      const result = await tracing.span(
        'deliver a webhook',
        { kind: 'client', attributes: attributesOf(delivery) },
        () => attemptDelivery(delivery, openSecrets(delivery), options),
        ({ outcome, status }) => ({
          'parley.outcome': outcome,
          ...(status !== null && { 'http.response.status_code': status }),
        }),
      );
      isDelivered = result.outcome === 'delivered';
      const outcome = isDelivered ? 'delivered' : 'failed';
      metrics.deliveryAttempts.observe({ outcome }, result.durationMs / 1_000);
      if (isReleased) return;
      if (stopped && !isDelivered) {
        interrupted.push(delivery);
        return;
      }
      await record(result);
      const { ordered_person: person } = delivery;
      if (person !== null && result.retryInMs === null) {
        await release({ ...delivery, person });
        // The next one may have been due already.
        limits.markDue(endpoint);
      }
      if (result.retryInMs !== null) limits.markDue(endpoint, result.retryInMs);
    } finally {
      if (isDelivered) limits.recordSuccess(endpoint);
      else limits.recordFailure(endpoint);
    }
  }

  const stopClaiming = claimWork<ClaimedDelivery>({
    db,
    log,
    inProgress: services.inProgress,
    what: 'deliveries',
    channel: 'deliveries',
    maxInFlight,
    lookEveryMs,
    onNotify: (payload) => {
      if (payload === 'batch') {
        void expand();
      } else if (readEndpointKey(payload)) {
        limits.markDue(payload);
      }
    },
    findWork: async () => {
      // Deliveries that wait are found even if a batch cannot be turned into deliveries.
      await expand();
      swept = await releaseLeftBehind(db.batched, swept, maxSwept);
      const queues = await findQueues(db.batched);
      for (const { endpoint, dueInMs } of queues) {
        if (dueInMs < lookEveryMs) limits.markDue(endpoint, dueInMs);
      }
      limits.forgetOthers(new Set(queues.map(({ endpoint }) => endpoint)));
    },
    claim: (room) => {
      const grants = limits.grantClaims(room);
      if (grants.length === 0) return undefined;
      return claim(grants).catch((err) => {
        for (const { endpoint } of grants) limits.markDue(endpoint, lookEveryMs);
        throw err;
      });
    },
    msUntilDue: limits.msUntilDue,
    work: deliver,
    closeWithinMs,
    release: async (unfinished) => {
      isReleased = true;
      const held = [...interrupted, ...unfinished];
      if (held.length > 0) await releaseDeliveries(db, held);
    },
  });

  return async () => {
    stopped = true;
    await stopClaiming();
    await lock?.release();
  };
}

function attributesOf(delivery: ClaimedDelivery) {
  return {
    'parley.tenant_id': delivery.tenant_id,
    'parley.webhook_id': webhookId(delivery),
    'parley.event': delivery.event,
    'parley.tries': delivery.tries,
  };
}
