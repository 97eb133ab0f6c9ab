import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database.ts';
import {
  listAllStores,
  pruneStoreEvents,
  pruneStoreHours,
  pruneStoreResources,
} from './event-queries.ts';

/** Rows of one statement: some milliseconds of work, so that no lock is held for long. */
const chunk = 500;
/** For one store in one run; the rest waits for the next one. */
const mostChunks = 100;
const pauseMs = 20;
const dayMs = 86_400_000;
/** Counts are small, and last year's are worth a look. */
const hoursKeptDays = 400;

/** Deletes posts, and what is known of resources, that are older than the settings keep them. */
export async function pruneOldStoreEvents(
  { db, config, clock }: { db: Db; config: Config; clock: Clock },
  isStopping: () => boolean = () => false,
) {
  const daysAgo = (days: number) => new Date(clock.now().getTime() - days * dayMs);
  const before = daysAgo(config.storeEventRetentionDays);
  for (const store of await listAllStores(db)) {
    await inChunks(() => pruneStoreEvents(db, store, { before, most: chunk }), isStopping);
  }
  await inChunks(() => pruneStoreResources(db, before, chunk), isStopping);
  if (isStopping()) return;
  await pruneStoreHours(db, daysAgo(hoursKeptDays));
}

async function inChunks(prune: () => Promise<number>, isStopping: () => boolean): Promise<void> {
  for (let chunks = 0; chunks < mostChunks && !isStopping(); chunks++) {
    if ((await prune()) < chunk) return;
    await pause(pauseMs);
  }
}
