import { BoundedMap } from '../../platform/concurrency/bounded-map.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { sha256 } from '../../platform/secrets/crypto.ts';
import { looksLikeToken } from './token-format.ts';
import { markTokensSeenInClear } from './token-queries.ts';

/** After this time a token is recorded again, because it may have been created since. */
const recordAgainAfterMs = 10 * 60_000;
/** About 2 MB. Beyond that, the oldest entries are evicted. */
const maxEntries = 10_000;
/** Tokens per statement. Further tokens that arrive while it runs are ignored. */
const maxWaiting = 500;
const restMs = 1_000;

/**
 * Creates a recorder for tokens that arrived over plain HTTP, where others may have read them, so
 * that their tenants are warned. It runs at most one statement per second, however many requests
 * arrive.
 *
 * @returns takes the `Authorization` header of a request
 */
export function createClearTokenRecorder({ db, log }: { db: Database; log: Log }) {
  /** When each token was recorded, by its hash. */
  const recordedAt = new BoundedMap<string, number>(maxEntries);
  let waiting = 0;
  const write = createBatch<Buffer, void>({ run: mark, maxSize: maxWaiting, restMs });

  async function mark(hashes: Buffer[]): Promise<void> {
    try {
      await markTokensSeenInClear(db, hashes);
    } catch (err) {
      log.warn({ err }, 'could not record tokens that arrived over plain HTTP');
      for (const hash of hashes) recordedAt.delete(hash.toString('base64'));
    }
  }

  return function record(authorization: string | undefined): void {
    const [, token] = /^Bearer +(parley_\w{38}) *$/i.exec(authorization ?? '') ?? [];
    if (!token || !looksLikeToken(token) || waiting >= maxWaiting) return;
    const hash = sha256(token);
    const key = hash.toString('base64');
    const now = performance.now();
    if ((recordedAt.get(key) ?? Number.NEGATIVE_INFINITY) > now - recordAgainAfterMs) return;
    recordedAt.set(key, now);
    waiting++;
    void write(hash).finally(() => waiting--);
  };
}
