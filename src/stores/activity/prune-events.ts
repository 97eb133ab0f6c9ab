import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneInChunks } from '../../platform/jobs/prune-in-chunks.ts';
import {
  listStoresToPrune,
  pruneStoreEvents,
  pruneStoreHours,
  pruneStoreResources,
} from './event-queries.ts';

/** Per store and run. */
const maxChunks = 100;
const dayMs = 86_400_000;
/** Counts are small, and useful for a comparison with last year. */
const hoursRetentionDays = 400;

/** Deletes posts, resources and counts after their retention times. */
export async function pruneOldStoreEvents(
  { db, config, clock }: { db: Db; config: Config; clock: Clock },
  isStopping: () => boolean = () => false,
) {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  const before = daysAgo(config.storeEventRetentionDays);
  for (const store of await listStoresToPrune(db, before)) {
    const prune = (limit: number) => pruneStoreEvents(db, store, { before, limit });
    await pruneInChunks(prune, maxChunks, isStopping);
  }
  const prune = (limit: number) => pruneStoreResources(db, before, limit);
  await pruneInChunks(prune, maxChunks, isStopping);
  if (isStopping()) return;
  await pruneStoreHours(db, daysAgo(hoursRetentionDays));
}
