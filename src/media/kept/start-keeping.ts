import type { Clock } from '../../platform/clock.ts';
import { claimWork, leaseMs } from '../../platform/jobs/claim-work.ts';
import { renewLeases } from '../../platform/jobs/renew-leases.ts';
import type { WorkInProgress } from '../../platform/jobs/work-in-progress.ts';
import type { Metrics } from '../../platform/metrics.ts';
import {
  type ClaimedFile,
  claimFiles,
  dropFile,
  fileQueue,
  postponeFile,
} from './claim-queries.ts';
import { type KeepOutcome, type KeepServices, keepFile } from './keep-file.ts';
import { keptFilesChannel } from './queue-files.ts';

/** Downloads per tenant and process, so that one tenant cannot slow down the others. */
const maxPerTenant = 3;
/** Downloads per process. Each writes to the disk, and holds a connection to the network. */
const maxInFlight = 8;
const minute = 60_000;
const hour = 60 * minute;
/** The delays of further attempts; the last one repeats. */
const retryDelaysMs = [10_000, minute, 10 * minute, hour, 6 * hour];
/** The network forgets a file after this time. */
const networkKeepsMs = 7 * 24 * hour;
const lookForWorkMs = 5_000;

/**
 * Keeps the files of inbound messages until stopped.
 *
 * @param lookEveryMs how often to poll for files whose notification was missed, and for those that are due again
 * @returns a function that stops claiming and waits shortly for the downloads in flight
 */
export function startKeeping(
  services: KeepServices & {
    clock: Clock;
    metrics: Metrics;
    inProgress: WorkInProgress;
    lookEveryMs?: number;
  },
): () => Promise<void> {
  const { db, clock, log, metrics, lookEveryMs = lookForWorkMs } = services;
  const inFlight = new Map<number, number>();
  /** Whether there may be new work since the last claim. */
  let isStale = true;

  async function claim(room: number): Promise<ClaimedFile[]> {
    isStale = false;
    const limits = { inFlight, maxPerTenant, limit: room, leaseMs };
    const claimed = await claimFiles(db.batched, limits);
    for (const each of claimed) count(each.tenant_id, 1);
    return claimed;
  }

  async function work(claimed: ClaimedFile): Promise<void> {
    const { outcome, reason } = await attempt(claimed);
    metrics.keptFiles.inc({ outcome });
    if (outcome === 'kept' || outcome === 'unwanted') return;
    const { tenant_id: tenantId, message_id: messageId, attempts } = claimed;
    const named = { tenantId, messageId, reason };
    if (outcome === 'gone') return log.warn(named, 'a file was not kept: the network lost it');
    const delayMs = retryDelaysMs[Math.min(attempts, retryDelaysMs.length) - 1]!;
    if (claimed.created_at.getTime() + networkKeepsMs < clock.now().getTime() + delayMs) {
      log.warn(named, 'a file was not kept in time');
      return dropFile(db, claimed);
    }
    if (attempts === 1) log.warn(named, 'a file could not be kept yet');
    await postponeFile(db, claimed, delayMs);
  }

  async function attempt(claimed: ClaimedFile): Promise<{
    outcome: KeepOutcome['outcome'] | 'failed';
    reason?: string;
  }> {
    try {
      return await keepFile(services, claimed);
    } catch (err) {
      log.error({ err, tenantId: claimed.tenant_id }, 'keeping a file failed');
      return { outcome: 'failed', reason: (err as Error).message };
    }
  }

  function count(tenantId: number, more: number): void {
    const now = (inFlight.get(tenantId) ?? 0) + more;
    if (now > 0) inFlight.set(tenantId, now);
    else inFlight.delete(tenantId);
  }

  const lookAgain = () => {
    isStale = true;
  };
  return claimWork<ClaimedFile>({
    db,
    log,
    inProgress: services.inProgress,
    what: 'files to keep',
    channel: keptFilesChannel,
    maxInFlight,
    lookEveryMs,
    onNotify: lookAgain,
    findWork: lookAgain,
    claim: (room) => (isStale ? claim(room) : undefined),
    msUntilDue: () => Number.POSITIVE_INFINITY,
    work,
    onFinished: ({ tenant_id }) => {
      count(tenant_id, -1);
      isStale = true;
    },
    renew: (files) => renewLeases(db.batched, fileQueue, files, { leaseMs }),
    // Another process, or this one after its start, downloads the file again.
    closeWithinMs: 1_000,
  });
}
