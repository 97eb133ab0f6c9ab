import type { Log } from '../log.ts';
import { noteFailure } from '../note-failure.ts';
import { createSleeper } from '../sleeper.ts';
import type { Database } from './database.ts';

/** Longest time until work that no notification told of is found. */
const defaultLookEveryMs = 1_000;
const renewEveryMs = 3_000;

/** After so long another process takes up what one that died had in hand; renewed while it works. */
export const leaseMs = 10_000;

/**
 * Works off rows of a table that is a queue, until stopped: the one claimer of them in this process.
 * It sleeps until a commit that wrote some notifies it, or something it knows of may be taken up, and
 * looks now and then for retries and for what other processes left.
 *
 * @param what the work, in a line of the log: "store events"
 * @param channel of the notifications
 * @param most under way at once in this process
 * @returns stops claiming and waits for what is under way, for `closeWithinMs` at most
 */
export function claimWork<Work extends { tenant_id: number }>(given: {
  db: Database;
  log: Log;
  what: string;
  channel: string;
  most: number;
  lookEveryMs?: number;
  /** What a notification says; nothing after some may have been lost. */
  notified(payload: string): void;
  /** Finds out who has work; before the first claim and every `lookEveryMs`. */
  look(): Promise<void> | void;
  /** Claims at most so many, for a lease; undefined when nothing may be taken up now. */
  claim(room: number): Promise<Work[]> | undefined;
  /** Until something may be, as far as is known. */
  msUntilDue(): number;
  /** Settles one, whatever happens; what it throws is logged, and tried again when the lease ends. */
  work(claimed: Work): Promise<void>;
  finished?(claimed: Work): void;
  /** For leases of {@link leaseMs}: begins those of what is under way anew. */
  renew?(claimed: Work[]): Promise<unknown>;
  closeWithinMs?: number;
  /** Told after the stop what was not finished by then. */
  giveBack?(unfinished: Work[]): Promise<unknown>;
}): () => Promise<void> {
  const { db, log, what, renew, lookEveryMs = defaultLookEveryMs } = given;
  const underWay = new Set<Work>();
  const { sleep, wake } = createSleeper();
  let stopped = false;
  let tick: NodeJS.Timeout | undefined;

  async function claimAll(): Promise<void> {
    while (!stopped) {
      const room = given.most - underWay.size;
      const claiming = room > 0 ? given.claim(room) : undefined;
      if (!claiming) {
        await sleep(room > 0 ? given.msUntilDue() : lookEveryMs);
        continue;
      }
      try {
        for (const claimed of await claiming) begin(claimed);
      } catch (err) {
        noteFailure(given, err, `claiming ${what} failed`);
        await sleep(lookEveryMs);
      }
    }
  }

  function begin(claimed: Work): void {
    underWay.add(claimed);
    given
      .work(claimed)
      .catch((err) =>
        log.error({ err, tenantId: claimed.tenant_id }, `one of the ${what} broke off`),
      )
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
      noteFailure(given, err, `looking for ${what} failed`);
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
        noteFailure(given, err, `renewing the leases of ${what} failed`),
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
