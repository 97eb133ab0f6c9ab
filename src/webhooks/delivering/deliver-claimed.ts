import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import { endpointKey } from '../endpoint-key.ts';
import { type OrderedPerson, releaseNext } from '../ordering/order-queries.ts';
import { createSecretOpener } from '../secrets/open-secrets.ts';
import { webhookId } from '../webhook-id.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { type ClaimedDelivery, endpointOf } from './claim-deliveries.ts';
import type { ConcurrencyLimits } from './concurrency-limits.ts';
import { type AttemptResult, recordAttempts } from './record-attempts.ts';

/** A webhook whose attempts have all failed for this long is switched off. */
const offAfterMs = 5 * 24 * 60 * 60 * 1000;

export type DelivererServices = {
  db: Database;
  clock: Clock;
  vault: Vault;
  log: Log;
  metrics: Metrics;
  tracing: Tracing;
  outbound: Outbound;
  config: Config;
};

/**
 * Creates the function that attempts a claimed delivery, stores the result in a batch, and reports it to the limits of
 * its endpoint.
 */
export function createDeliverer(
  services: DelivererServices,
  limits: ConcurrencyLimits,
  isStopped: () => boolean,
) {
  const { db, log, metrics, tracing, config } = services;
  const { webhookTimeoutMs: timeoutMs, webhookScheduleSeconds: scheduleSeconds } = config;
  const openSecrets = createSecretOpener(services.vault);
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
  const releaseNextOf = createBatch<OrderedPerson, void>({
    run: (persons) => releaseNext(db.batched, persons),
    maxSize: 500,
  });

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
      if (isStopped() && !isDelivered) {
        interrupted.push(delivery);
        return;
      }
      await record(result);
      const { ordered_person: person } = delivery;
      if (person !== null && result.retryInMs === null) {
        await releaseNextOf({ ...delivery, person });
        // The next one may have been due already.
        limits.markDue(endpoint);
      }
      if (result.retryInMs !== null) limits.markDue(endpoint, result.retryInMs);
    } finally {
      if (isDelivered) limits.recordSuccess(endpoint);
      else limits.recordFailure(endpoint);
    }
  }

  return {
    deliver,

    /**
     * Stores no further results, because other processes may claim the deliveries from now on.
     *
     * @returns the deliveries that failed after the stop, possibly because of it
     */
    release(): ClaimedDelivery[] {
      isReleased = true;
      return interrupted;
    },
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
