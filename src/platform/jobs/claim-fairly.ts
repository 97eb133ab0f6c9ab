import { addTo } from '../concurrency/counts.ts';
import type { Database } from '../database/database.ts';
import type { Log } from '../log.ts';
import { claimWork, leaseMs } from './claim-work.ts';
import { type Queue, renewLeases } from './renew-leases.ts';
import type { WorkInProgress } from './work-in-progress.ts';

/** The limits of a fair claim (`fewestInFlightFirst`). */
export type FairClaim = {
  /** How many rows of each tenant this process has already claimed. */
  inFlight: ReadonlyMap<number, number>;
  maxPerTenant: number;
  limit: number;
  leaseMs: number;
};

/**
 * Processes the rows of a queue like `claimWork`, up to `maxPerTenant` of each tenant at a time, so that one tenant
 * cannot slow down the others. Claims again whenever work has ended or may have been added.
 *
 * @param claim claims rows for `leaseMs`; the lease is renewed while the work runs
 */
export function claimFairly<Work extends { tenant_id: number; attempts: number }>({
  queue,
  maxPerTenant,
  claim,
  ...given
}: {
  db: Database;
  log: Log;
  inProgress: WorkInProgress;
  what: string;
  channel: string;
  queue: Queue<Work>;
  maxInFlight: number;
  maxPerTenant: number;
  lookEveryMs?: number | undefined;
  claim(db: Database['batched'], limits: FairClaim): Promise<Work[]>;
  work(claimed: Work): Promise<void>;
  closeWithinMs?: number;
}): () => Promise<void> {
  const { db } = given;
  const inFlight = new Map<number, number>();
  /** Whether there may be new work since the last claim. */
  let isStale = true;
  const lookAgain = () => {
    isStale = true;
  };

  async function claimSome(limit: number): Promise<Work[]> {
    isStale = false;
    const claimed = await claim(db.batched, { inFlight, maxPerTenant, limit, leaseMs });
    for (const each of claimed) addTo(inFlight, each.tenant_id, 1);
    return claimed;
  }

  return claimWork<Work>({
    ...given,
    onNotify: lookAgain,
    findWork: lookAgain,
    claim: (room) => (isStale ? claimSome(room) : undefined),
    msUntilDue: () => Number.POSITIVE_INFINITY,
    onFinished({ tenant_id }) {
      addTo(inFlight, tenant_id, -1);
      lookAgain();
    },
    renew: (claimed) => renewLeases(db.batched, queue, claimed, { leaseMs }),
  });
}
