import type { Database } from '../database/database.ts';
import type { Log } from '../log.ts';
import { logFailure } from '../log-failure.ts';
import { createSleeper } from './sleeper.ts';

/** How often to look for work whose notification was missed. */
const defaultLookEveryMs = 1_000;
const renewEveryMs = 3_000;

/** After this time, another process may claim the work of one that died. Renewed while work is running. */
export const leaseMs = 10_000;

/**
 * Works off the rows of a queue table until stopped. It is the only claimer of these rows in this
 * process. It sleeps until a commit that added rows notifies it or known work is due, and polls for
 * retries and for work that other processes abandoned.
 *
 * @param what names the work in log lines, such as "store events"
 * @param channel of the notifications
 * @param maxInFlight the maximum number of items under way at once in this process
 * @returns stops claiming and waits for the items under way, for at most `closeWithinMs`
 */
export function claimWork<Work extends { tenant_id: number }>(given: {
  db: Database;
  log: Log;
  what: string;
  channel: string;
  maxInFlight: number;
  lookEveryMs?: number;
  /** Receives the payload of a notification; '' if some may have been missed. */
  notified(payload: string): void;
  /** Finds tenants that have work. Called before the first claim and every `lookEveryMs`. */
  look(): Promise<void> | void;
  /** Claims up to `room` items for a lease; undefined if nothing may be claimed now. */
  claim(room: number): Promise<Work[]> | undefined;
  /** The time until known work may be claimed. */
  msUntilDue(): number;
  /** Does one item and stores the outcome. If it throws, the error is logged and the item is due again after its lease. */
  work(claimed: Work): Promise<void>;
  finished?(claimed: Work): void;
  /** Renews the leases of the items under way, if these are of {@link leaseMs}. */
  renew?(claimed: Work[]): Promise<unknown>;
  closeWithinMs?: number;
  /** Gives back the items that were not finished at the stop. */
  giveBack?(unfinished: Work[]): Promise<unknown>;
}): () => Promise<void> {
  const { db, log, what, renew, lookEveryMs = defaultLookEveryMs } = given;
  const underWay = new Set<Work>();
  const { sleep, wake } = createSleeper();
  let stopped = false;
  let tick: NodeJS.Timeout | undefined;

  async function claimAll(): Promise<void> {
    while (!stopped) {
      const room = given.maxInFlight - underWay.size;
      const claiming = room > 0 ? given.claim(room) : undefined;
      if (!claiming) {
        await sleep(room > 0 ? given.msUntilDue() : lookEveryMs);
        continue;
      }
      try {
        for (const claimed of await claiming) begin(claimed);
      } catch (err) {
        logFailure(given, err, `claiming ${what} failed`);
        await sleep(lookEveryMs);
      }
    }
  }

  function begin(claimed: Work): void {
    underWay.add(claimed);
    given
      .work(claimed)
      .catch((err) => log.error({ err, tenantId: claimed.tenant_id }, `one of the ${what} failed`))
      .finally(() => {
        underWay.delete(claimed);
        given.finished?.(claimed);
        wake();
      });
  }

  async function look(): Promise<void> {
    try {
      await given.look();
      wake();
    } catch (err) {
      logFailure(given, err, `looking for ${what} failed`);
    }
    if (stopped) return;
    tick = setTimeout(() => {
      looking = look();
    }, lookEveryMs);
  }

  const listening = db.listen(given.channel, (payload) => {
    given.notified(payload);
    wake();
  });
  let looking = look();
  const claiming = claimAll();
  const renewal =
    renew &&
    setInterval(() => {
      if (underWay.size === 0) return;
      renew([...underWay]).catch((err) =>
        logFailure(given, err, `renewing the leases of ${what} failed`),
      );
    }, renewEveryMs);

  return async () => {
    stopped = true;
    clearTimeout(tick);
    wake();
    (await listening)();
    await Promise.all([claiming, looking]);
    const until = performance.now() + (given.closeWithinMs ?? Number.POSITIVE_INFINITY);
    while (underWay.size > 0 && performance.now() < until) await sleep(until - performance.now());
    clearInterval(renewal);
    await given.giveBack?.([...underWay]);
  };
}
