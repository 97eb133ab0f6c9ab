import type { Config } from '../../config.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneInChunks } from '../../platform/database/prune-in-chunks.ts';
import { listWebhookTenants, pruneDeliveries } from './delivery-log-queries.ts';

/** Of one tenant in one run. */
const mostChunks = 20;

/**
 * Deletes the deliveries, and their attempts, that are older than the settings keep them: those of reads are
 * many, and their receiver has them.
 */
export async function pruneOldDeliveries(
  { db, config }: { db: Db; config: Config },
  isStopping: () => boolean = () => false,
) {
  const olderThanDays = {
    all: config.deliveryRetentionDays,
    reads: config.contactReadRetentionDays,
  };
  for (const tenantId of await listWebhookTenants(db)) {
    const prune = (limit: number) => pruneDeliveries(db, tenantId, olderThanDays, limit);
    await pruneInChunks(prune, mostChunks, isStopping);
  }
}
