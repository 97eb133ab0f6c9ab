import { claimWork } from '../../platform/jobs/claim-work.ts';
import type { WorkInProgress } from '../../platform/jobs/work-in-progress.ts';
import { endpointKey, readEndpointKey } from '../endpoint-key.ts';
import { type OrderedPerson, releaseLeftBehind } from '../ordering/order-queries.ts';
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
import { createDeliverer, type DelivererServices } from './deliver-claimed.ts';
import { createBatchExpander } from './expand-batches.ts';

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

/**
 * Delivers waiting events until stopped. It is the only claimer of this process. It sleeps until a commit that
 * recorded events notifies it or a known delivery is due.
 *
 * @returns a function that stops claiming, waits briefly for calls in flight, and releases the rest
 */
export function startDelivering(
  services: DelivererServices & { inProgress: WorkInProgress },
): () => Promise<void> {
  const { db, log, config } = services;
  const { webhookTimeoutMs: timeoutMs, webhookScheduleSeconds: scheduleSeconds } = config;
  const limits = createConcurrencyLimits();
  /** Turns batches of events into deliveries, whose notification wakes the claimer. */
  const expand = createBatchExpander(services, () => stopped);
  let lock: ClaimerLock | undefined;
  let stopped = false;
  const { deliver, release } = createDeliverer(services, limits, () => stopped);
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
      const ofEndpoint = byEndpoint.get(grant.endpoint) ?? [];
      limits.recordClaim(grant, ofEndpoint.length, lastDueAt(ofEndpoint));
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
        if (dueInMs < lookEveryMs) limits.markFound(endpoint, dueInMs);
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
      const held = [...release(), ...unfinished];
      if (held.length > 0) await releaseDeliveries(db, held);
    },
  });

  return async () => {
    stopped = true;
    await stopClaiming();
    await lock?.release();
  };
}

/** When the last of the deliveries was due; undefined if there are none. */
function lastDueAt(deliveries: ClaimedDelivery[]): Date | undefined {
  if (deliveries.length === 0) return undefined;
  return new Date(Math.max(...deliveries.map(({ due_at }) => due_at.getTime())));
}
