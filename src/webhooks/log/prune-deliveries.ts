import type { Config } from '../../config.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneInChunks } from '../../platform/jobs/prune-in-chunks.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { listEndpointsToPrune, pruneDeliveries } from './prune-queries.ts';

/** The chunks of one endpoint before the next one has its turn. */
const maxChunks = 20;

/**
 * Deletes deliveries and their attempts after the retention times of the settings. Delivered reads have a shorter
 * one, because they are many.
 */
export async function pruneOldDeliveries(
  { db, config }: { db: Db; config: Config },
  isStopping: () => boolean = () => false,
) {
  const olderThanDays = {
    all: config.deliveryRetentionDays,
    reads: config.contactReadRetentionDays,
  };
  let endpoints = await listEndpointsToPrune(db, olderThanDays);
  while (endpoints.length > 0 && !isStopping()) {
    const unfinished: Endpoint[] = [];
    for (const endpoint of endpoints) {
      const prune = (limit: number) => pruneDeliveries(db, endpoint, olderThanDays, limit);
      if (!(await pruneInChunks(prune, maxChunks, isStopping))) unfinished.push(endpoint);
    }
    endpoints = unfinished;
  }
}
