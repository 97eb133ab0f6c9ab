import { setTimeout as sleep } from 'node:timers/promises';
import { createBatch } from '../platform/database/batching.ts';
import type { Database } from '../platform/database/database.ts';
import { invalid } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import type { Log } from '../platform/log.ts';
import { type Claim, claimKeys, type KeyOfToken, type StoredResponse } from './claim-queries.ts';
import { type Attempt, extendLeases } from './queries.ts';

/** If a process dies, another can claim its keys after this time. */
const leaseMs = 10_000;
const extendEveryMs = 3_000;
const minWaitMs = 20;
const maxWaitMs = 400;

export type ClaimedAttempt = Attempt & {
  /** An earlier process may have executed the request already. */
  resumed: boolean;
  /** Stops extending the lease. To be called when the attempt is over. */
  stop(): void;
};

/**
 * Lets only one caller in all processes execute a request with an Idempotency-Key. The others wait
 * for its response. The caller holds a lease, which is extended for as long as this process lives.
 */
export function createAttemptClaimer({ db, log }: { db: Database; log: Log }) {
  const claim = createBatch<KeyOfToken & { fingerprint: Buffer; waitedFor: number | null }, Claim>({
    run: (asked) => claimKeys(db.batched, asked, leaseMs),
    maxSize: 500,
  });
  const running = new Set<ClaimedAttempt>();
  let timer: NodeJS.Timeout | undefined;

  function lease(attempt: Omit<ClaimedAttempt, 'stop'>): ClaimedAttempt {
    const leased: ClaimedAttempt = {
      ...attempt,
      stop() {
        running.delete(leased);
        if (running.size === 0) {
          clearInterval(timer);
          timer = undefined;
        }
      },
    };
    running.add(leased);
    timer ??= setInterval(() => {
      extendLeases(db.batched, [...running], leaseMs).catch((err) =>
        log.warn({ err }, 'could not extend the leases of idempotent requests'),
      );
    }, extendEveryMs);
    return leased;
  }

  /**
   * Claims the key, or waits for the response of the caller that has claimed it.
   *
   * @param fingerprints those that the same request can have had, the one of a new request first
   * @returns the attempt if the caller is to execute the request, otherwise the response
   * @throws ApiError 422 if the key was used with another request before
   */
  return async function claimAttempt(
    key: KeyOfToken,
    fingerprints: Buffer[],
  ): Promise<{ attempt: ClaimedAttempt } | { response: StoredResponse }> {
    let waitedFor: number | null = null;
    let [fingerprint, ...others] = fingerprints as [Buffer, ...Buffer[]];
    for (let waitMs = minWaitMs; ; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
      const claimed = await claim({ ...key, fingerprint, waitedFor });
      if (claimed.state === 'claimed') {
        const { attemptId, resumed } = claimed;
        return { attempt: lease({ ...key, attemptId, resumed }) };
      }
      if (claimed.state === 'mismatch') {
        const other = others.shift();
        if (!other) throw usedForAnother();
        fingerprint = other;
        continue;
      }
      if (claimed.state === 'finished') return { response: claimed.response };
      waitedFor = claimed.attemptId;
      await sleep(waitMs);
    }
  };
}

function usedForAnother() {
  return invalid({
    'Idempotency-Key': [fault('key_used', 'was used for another request; use a new key')],
  });
}
