import type { Config } from '../../config.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneInTurns } from '../../platform/jobs/prune-in-chunks.ts';
import { listEndpointsToPrune, pruneDeliveries } from './prune-queries.ts';

/**
 * Deletes deliveries and their attempts after the retention times of the settings. Delivered reads have a shorter
 * one, because they are many. Those of messages are kept no longer than messages, because they have their texts.
 */
export async function pruneOldDeliveries(
  { db, config }: { db: Db; config: Config },
  isStopping: () => boolean = () => false,
) {
  const olderThanDays = {
    all: config.deliveryRetentionDays,
    reads: config.contactReadRetentionDays,
    messages: config.messageRetentionDays,
  };
  await pruneInTurns(
    await listEndpointsToPrune(db, olderThanDays),
    (endpoint, limit) => pruneDeliveries(db, endpoint, olderThanDays, limit),
    isStopping,
  );
}
