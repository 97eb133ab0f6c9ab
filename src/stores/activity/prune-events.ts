import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneInChunks } from '../../platform/database/prune-in-chunks.ts';
import {
  listAllStores,
  pruneStoreEvents,
  pruneStoreHours,
  pruneStoreResources,
} from './event-queries.ts';

/** Of one store and one run. */
const mostChunks = 100;
const dayMs = 86_400_000;
/** Counts are small, and last year's are still of interest. */
const hoursKeptDays = 400;

/** Deletes posts, resources and counts that are older than the settings allow. */
export async function pruneOldStoreEvents(
  { db, config, clock }: { db: Db; config: Config; clock: Clock },
  isStopping: () => boolean = () => false,
) {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  const before = daysAgo(config.storeEventRetentionDays);
  for (const store of await listAllStores(db)) {
    const prune = (most: number) => pruneStoreEvents(db, store, { before, most });
    await pruneInChunks(prune, mostChunks, isStopping);
  }
  const prune = (most: number) => pruneStoreResources(db, before, most);
  await pruneInChunks(prune, mostChunks, isStopping);
  if (isStopping()) return;
  await pruneStoreHours(db, daysAgo(hoursKeptDays));
}
