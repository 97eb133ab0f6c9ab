import { setTimeout as sleep } from 'node:timers/promises';
import { invalid } from '../errors.ts';
import { createBatch } from '../platform/database/batching.ts';
import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import {
  type Claim,
  claimKeys,
  extendLeases,
  type KeptAnswer,
  type KeyOfToken,
} from './queries.ts';

/** A process that dies leaves its keys to others after this long. */
const leaseMs = 10_000;
const extendEveryMs = 3_000;
const shortestWaitMs = 20;
const longestWaitMs = 400;

export type Run = KeyOfToken & {
  runId: number;
  /** An earlier run of the same request may have had its effect. */
  resumed: boolean;
  /** To be called when the run is over: its lease is not extended any more. */
  stop(): void;
};

/**
 * Gives the right to run a request to one caller at a time, over all processes; the others wait
 * until it is answered. Who runs it holds a lease, extended for as long as this process lives.
 */
export function createRunClaimer({ db, log }: { db: Database; log: Log }) {
  const claim = createBatch<KeyOfToken & { fingerprint: Buffer; waitedFor: number | null }, Claim>({
    run: (asked) => claimKeys(db.batched, asked, leaseMs),
    maxSize: 500,
  });
  const running = new Set<Run>();
  let timer: NodeJS.Timeout | undefined;

  function hold(run: Omit<Run, 'stop'>): Run {
    const held: Run = {
      ...run,
      stop() {
        running.delete(held);
        if (running.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
      },
    };
    running.add(held);
    timer ??= setInterval(() => {
      extendLeases(db.batched, [...running], leaseMs).catch((err) =>
        log.warn({ err }, 'extend the leases of idempotent requests'),
      );
    }, extendEveryMs);
    return held;
  }

  /**
   * @returns the run when the request is the caller's to run, else the answer it has already
   * @throws ApiError 422 when the key came with another request before
   */
  return async function claimRun(
    of: KeyOfToken,
    fingerprint: Buffer,
  ): Promise<{ run: Run } | { answer: KeptAnswer }> {
    let waitedFor: number | null = null;
    for (let waitMs = shortestWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      const found = await claim({ ...of, fingerprint, waitedFor });
      if (found.ours) {
        return { run: hold({ ...of, runId: found.run_id!, resumed: found.resumed }) };
      }
      if (found.differs) throw usedForAnother();
      const isForUs = found.held || found.run_id === waitedFor;
      if (found.answer && isForUs) return { answer: found.answer };
      if (!found.answer) waitedFor = found.run_id;
      await sleep(waitMs);
    }
  };
}

function usedForAnother() {
  return invalid({ 'Idempotency-Key': ['was used for another request; use a new key'] });
}
