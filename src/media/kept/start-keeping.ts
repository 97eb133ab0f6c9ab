import type { Clock } from '../../platform/clock.ts';
import { claimFairly } from '../../platform/jobs/claim-fairly.ts';
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

/** Downloads per tenant and process. */
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
 * @returns a function that stops claiming and waits briefly for the downloads in flight
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

  return claimFairly<ClaimedFile>({
    db,
    log,
    inProgress: services.inProgress,
    what: 'files to keep',
    channel: keptFilesChannel,
    queue: fileQueue,
    maxInFlight,
    maxPerTenant,
    lookEveryMs,
    claim: (batched, limits) => claimFiles(batched, limits, services.storage),
    work,
    // Another process, or this one after its start, downloads the file again.
    closeWithinMs: 1_000,
  });
}
