import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Vault } from '../../platform/crypto.ts';
import { createBatch } from '../../platform/database/batching.ts';
import { claimWork } from '../../platform/database/claim-work.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { logFailure } from '../../platform/log-failure.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { createSecretOpener } from '../secrets/open-secrets.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { type ClaimerLock, lockAsClaimer } from './claimer-lock.ts';
import {
  type AttemptResult,
  type ClaimedDelivery,
  claimDeliveries,
  expandBatches,
  findQueues,
  recordAttempts,
  releaseAbandoned,
  releaseDeliveries,
} from './delivery-queries.ts';
import { createPace } from './pace.ts';

/** On top of the longest call: a lease must outlast the recording of what became of it. */
const leaseSlackMs = 5_000;
/** How often to look for what no notification told of: retries, and what other processes left. */
const lookEveryMs = 1_000;
/** How long an end of the process waits for calls under way. */
const closeWithinMs = 1_000;
/** Batches of up to 500 events that one statement turns into deliveries. */
const batchesAtOnce = 10;
/** Most deliveries under way in a process. */
const mostUnderWay = 1_000;
/** A webhook with failures only for this long is switched off. */
const offAfterMs = 5 * 24 * 60 * 60 * 1000;

/**
 * Delivers waiting events until stopped: the one claimer of this process. It sleeps until a commit
 * that recorded events notifies it, or something it knows of is due.
 *
 * @returns stops claiming, waits a moment for calls under way, and gives back the rest
 */
export function startDelivering(services: {
  db: Database;
  clock: Clock;
  vault: Vault;
  log: Log;
  metrics: Metrics;
  outbound: Outbound;
  config: Config;
}): () => Promise<void> {
  const { db, log, metrics, config } = services;
  const { webhookTimeoutMs: timeoutMs, webhookScheduleSeconds: scheduleSeconds } = config;
  const pace = createPace();
  const openSecrets = createSecretOpener(services.vault);
  let lock: ClaimerLock | undefined;
  let stopped = false;
  /** What failed since the stop, which may be why it failed. */
  const cut: ClaimedDelivery[] = [];
  /** What was under way is somebody else's by now. */
  let isGivenBack = false;

  const record = createBatch<AttemptResult, void>({
    run: async (results) => {
      const off = await recordAttempts(db.batched, results, {
        offAfterMs,
      });
      for (const { tenant_id: tenantId, off_reason: reason } of off) {
        log.warn({ tenantId, reason }, 'a webhook was switched off');
      }
      return [];
    },
    maxSize: 500,
  });

  async function claim(asked: { tenantId: number; most: number }[]): Promise<ClaimedDelivery[]> {
    const { id: claimer } = lock ?? (await lockAndRelease());
    const claimed = await claimDeliveries(
      db.batched,
      asked,
      { ms: timeoutMs + leaseSlackMs, claimer },
      { firstDelayMs: (scheduleSeconds[0] ?? 0) * 1000 },
    );
    const byTenant = Map.groupBy(claimed, (delivery) => delivery.tenant_id);
    for (const { tenantId, most } of asked) {
      pace.claimed(tenantId, byTenant.get(tenantId)?.length ?? 0, most);
    }
    return claimed;
  }

  /** Only a process that is known to live may claim; what the dead had in hand is free again. */
  async function lockAndRelease(): Promise<ClaimerLock> {
    lock = await lockAsClaimer(db);
    const count = await releaseAbandoned(db.batched);
    if (count > 0) log.info({ count }, 'deliveries that a process left behind go on');
    return lock;
  }

  async function deliver(delivery: ClaimedDelivery): Promise<void> {
    const { tenant_id: tenantId } = delivery;
    let succeeded = false;
    try {
      const result = await attemptDelivery(delivery, openSecrets(delivery), {
        ...services,
        timeoutMs,
        scheduleSeconds,
      });
      succeeded = result.reason === null;
      const outcome = succeeded ? 'delivered' : 'failed';
      metrics.deliveryAttempts.observe({ outcome }, result.durationMs / 1_000);
      if (isGivenBack) return;
      if (stopped && !succeeded) {
        cut.push(delivery);
        return;
      }
      await record(result);
      if (result.retryInMs !== null) pace.expect(tenantId, result.retryInMs);
    } finally {
      if (succeeded) pace.succeeded(tenantId);
      else pace.failed(tenantId);
    }
  }

  /** Makes deliveries of batches of events, until there are none; their notification wakes us. */
  async function expandAll(): Promise<void> {
    while (!stopped && (await expandBatches(db.batched, batchesAtOnce)) === batchesAtOnce);
  }

  /** However many notifications come while it is under way, it is done once more for all of them. */
  const expand = createBatch<void, void>({
    run: async () => {
      await expandAll();
      return [];
    },
    maxSize: Number.POSITIVE_INFINITY,
  });

  const stopClaiming = claimWork<ClaimedDelivery>({
    db,
    log,
    what: 'deliveries',
    channel: 'deliveries',
    most: mostUnderWay,
    lookEveryMs,
    notified: (payload) => {
      if (payload === 'batch') {
        expand().catch((err) => logFailure(services, err, 'making deliveries of events failed'));
      } else if (payload) {
        pace.expect(Number(payload));
      }
    },
    look: async () => {
      await expandAll();
      for (const { tenant_id, due_in_ms } of await findQueues(db.batched)) {
        if (due_in_ms < lookEveryMs) pace.expect(tenant_id, due_in_ms);
      }
    },
    claim: (room) => {
      const asked = pace.ask(room);
      if (asked.length === 0) return undefined;
      return claim(asked).catch((err) => {
        for (const { tenantId } of asked) pace.expect(tenantId, lookEveryMs);
        throw err;
      });
    },
    msUntilDue: pace.msUntilDue,
    work: deliver,
    closeWithinMs,
    giveBack: async (unfinished) => {
      isGivenBack = true;
      const left = [...cut, ...unfinished];
      if (left.length > 0) await releaseDeliveries(db, left);
    },
  });

  return async () => {
    stopped = true;
    await stopClaiming();
    await lock?.release();
  };
}
