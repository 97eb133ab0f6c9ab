import { createTtlCache } from '../../platform/concurrency/ttl-cache.ts';
import { createBatchOfLists, runAlone } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import { type AttestedLink, keyOfLink, linkLists } from './link-identities.ts';

/** Nearly every status names both identities of its recipient, so the same ones are looked up once an hour. */
const lookAgainMs = 3_600_000;

/** Creates a function that links the phone and the user id of recipients, which delivery statuses attest. */
export function createStatusLinker({ db }: { db: Database }) {
  const known = createTtlCache<true>({ ttlMs: lookAgainMs });
  const link = createBatchOfLists<AttestedLink, void>({
    run: (lists, isAlone) =>
      db.transaction(async (tx) => {
        const areLeft = await linkLists(tx, lists, isAlone);
        return areLeft.map((isLeft) => (isLeft ? runAlone : undefined));
      }),
    maxSize: 200,
  });

  return async function linkByStatuses(links: AttestedLink[]): Promise<void> {
    const unknown = links.filter((each) => !known.get(keyOfLink(each)));
    if (unknown.length === 0) return;
    await link(unknown);
    for (const each of unknown) known.set(keyOfLink(each), true);
  };
}
