import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneInChunks, pruneInTurns } from '../../platform/jobs/prune-in-chunks.ts';
import {
  listStoresToPrune,
  pruneStoreEvents,
  pruneStoreHours,
  pruneStoreResources,
} from './prune-queries.ts';

const dayMs = 86_400_000;
/**
 * Counts are small, and useful for a comparison with last year. So are the states of orders, and what the buyer got about
 * them: a bulk change posts orders of many months, and their buyers must not get the same message again.
 */
const longRetentionDays = 400;

/** Deletes posts, resources and counts after their retention times. */
export async function pruneOldStoreEvents(
  { db, config, clock }: { db: Db; config: Config; clock: Clock },
  isStopping: () => boolean = () => false,
) {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  const before = daysAgo(config.storeEventRetentionDays);
  await pruneInTurns(
    await listStoresToPrune(db, before),
    (store, limit) => pruneStoreEvents(db, store, { before, limit }),
    isStopping,
  );
  const longBefore = daysAgo(Math.max(longRetentionDays, config.storeEventRetentionDays));
  for (const old of [{ before, kind: 'buyer' as const }, { before: longBefore }]) {
    await pruneInChunks((limit) => pruneStoreResources(db, old, limit), isStopping);
  }
  if (isStopping()) return;
  await pruneStoreHours(db, daysAgo(longRetentionDays));
}
