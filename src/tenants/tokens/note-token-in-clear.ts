import { sha256 } from '../../platform/crypto.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { looksLikeToken } from './token-format.ts';
import { markTokensSeenInClear } from './token-queries.ts';

/** A token is noted again after that, as it may have been made in the meantime. */
const againAfterMs = 10 * 60_000;
/** About 2 MB; beyond that, the tokens that were noted first are forgotten. */
const maxRemembered = 10_000;
/** Tokens of one statement. What comes beyond that while it runs is not noted. */
const maxWaiting = 500;
const restMs = 1_000;

/**
 * Notes tokens that came over plain HTTP, where others may have read them, so that their tenants are
 * warned. However many requests there are, it makes one statement a second at most.
 *
 * @returns takes the `Authorization` header of a request
 */
export function createClearTokenNoter({ db, log }: { db: Database; log: Log }) {
  /** When each token was noted, by its hash. */
  const notedAt = new Map<string, number>();
  let waiting = 0;
  const write = createBatch<Buffer, undefined>({ run: mark, maxSize: maxWaiting, restMs });

  async function mark(hashes: Buffer[]): Promise<undefined[]> {
    try {
      await markTokensSeenInClear(db, hashes);
    } catch (err) {
      log.warn({ err }, 'tokens that came over plain HTTP could not be noted');
      for (const hash of hashes) notedAt.delete(hash.toString('base64'));
    }
    return [];
  }

  return function note(authorization: string | undefined): void {
    const [, token] = /^Bearer +(parley_\w{38}) *$/i.exec(authorization ?? '') ?? [];
    if (!token || !looksLikeToken(token) || waiting >= maxWaiting) return;
    const hash = sha256(token);
    const key = hash.toString('base64');
    const now = performance.now();
    if ((notedAt.get(key) ?? Number.NEGATIVE_INFINITY) > now - againAfterMs) return;
    notedAt.delete(key);
    notedAt.set(key, now);
    if (notedAt.size > maxRemembered) notedAt.delete(notedAt.keys().next().value!);
    waiting++;
    void write(hash).finally(() => waiting--);
  };
}
