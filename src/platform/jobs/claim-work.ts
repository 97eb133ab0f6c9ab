import type { Database } from '../database/database.ts';
import type { Log } from '../log.ts';
import { logFailure } from '../log-failure.ts';
import { createSleeper } from './sleeper.ts';
import type { WorkInProgress } from './work-in-progress.ts';

/** How often to find work whose notification was missed. */
const defaultLookEveryMs = 1_000;
const renewEveryMs = 3_000;

/** After this time, another process may claim the work of one that died. Renewed while work is running. */
export const leaseMs = 10_000;

/**
 * Processes the rows of a queue table until stopped. It is the only claimer of these rows in this process. It
 * sleeps until a commit that added rows notifies it or known work is due, and polls for retries and for work
 * that other processes abandoned.
 *
 * @param what names the work in log lines, such as "store events"
 * @param channel the channel of the notifications
 * @param maxInFlight the maximum number of concurrent items in this process
 * @returns stops claiming and waits for the items in flight, for at most `closeWithinMs`
 */
export function claimWork<Work extends { tenant_id: number }>(given: {
  db: Database;
  log: Log;
  inProgress: WorkInProgress;
  what: string;
  channel: string;
  maxInFlight: number;
  lookEveryMs?: number;
  /** Receives the payload of a notification; '' if some may have been missed. */
  onNotify(payload: string): void;
  /** Finds tenants that have work. Called before the first claim and every `lookEveryMs`. */
  findWork(): Promise<void> | void;
  /** Claims up to `room` items for a lease; undefined if nothing may be claimed now. */
  claim(room: number): Promise<Work[]> | undefined;
  /** The time until known work may be claimed. */
  msUntilDue(): number;
  /**
   * Does one item and stores the outcome. If it throws, the error is logged and the item is due again after its lease.
   */
  work(claimed: Work): Promise<void>;
  onFinished?(claimed: Work): void;
  /** Renews the leases of the items in flight, if these are of {@link leaseMs}. */
  renew?(claimed: Work[]): Promise<unknown>;
  closeWithinMs?: number;
  /** Ends the leases of the items that were not finished at the stop. */
  release?(unfinished: Work[]): Promise<unknown>;
}): () => Promise<void> {
  const { db, log, inProgress, what, renew, lookEveryMs = defaultLookEveryMs } = given;
  const inFlight = new Set<Work>();
  const { sleep, wake } = createSleeper();
  let stopped = false;
  let tick: NodeJS.Timeout | undefined;

  async function claimAll(): Promise<void> {
    while (!stopped) {
      const room = given.maxInFlight - inFlight.size;
      const endClaim = inProgress.beginClaim();
      const claiming = room > 0 ? given.claim(room) : undefined;
      if (!claiming) {
        endClaim();
        await sleep(room > 0 ? given.msUntilDue() : lookEveryMs);
        continue;
      }
      const claimed = await claiming.catch((err) => {
        logFailure(given, err, `claiming ${what} failed`);
      });
      claimed?.forEach(begin);
      endClaim();
      if (!claimed) await sleep(lookEveryMs);
    }
  }

  function begin(claimed: Work): void {
    inFlight.add(claimed);
    inProgress
      .during(claimed.tenant_id, () => given.work(claimed))
      .catch((err) => log.error({ err, tenantId: claimed.tenant_id }, `one of the ${what} failed`))
      .finally(() => {
        inFlight.delete(claimed);
        given.onFinished?.(claimed);
        wake();
      });
  }

  async function findWork(): Promise<void> {
    try {
      await given.findWork();
      wake();
    } catch (err) {
      logFailure(given, err, `looking for ${what} failed`);
    }
    if (stopped) return;
    tick = setTimeout(() => {
      finding = findWork();
    }, lookEveryMs);
  }

  const listening = db.listen(given.channel, (payload) => {
    given.onNotify(payload);
    wake();
  });
  let finding = findWork();
  const claiming = claimAll();
  const renewal =
    renew &&
    setInterval(() => {
      if (inFlight.size === 0) return;
      renew([...inFlight]).catch((err) =>
        logFailure(given, err, `renewing the leases of ${what} failed`),
      );
    }, renewEveryMs);

  return async () => {
    stopped = true;
    clearTimeout(tick);
    wake();
    (await listening)();
    await Promise.all([claiming, finding]);
    const until = performance.now() + (given.closeWithinMs ?? Number.POSITIVE_INFINITY);
    while (inFlight.size > 0 && performance.now() < until) await sleep(until - performance.now());
    clearInterval(renewal);
    await given.release?.([...inFlight]);
  };
}
