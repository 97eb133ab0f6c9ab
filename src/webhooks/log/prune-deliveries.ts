import type { Config } from '../../config.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneInChunks } from '../../platform/database/prune-in-chunks.ts';
import { listWebhookTenants, pruneDeliveries } from './delivery-log-queries.ts';

/** Per tenant and run. */
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
  for (const tenantId of await listWebhookTenants(db)) {
    const prune = (limit: number) => pruneDeliveries(db, tenantId, olderThanDays, limit);
    await pruneInChunks(prune, maxChunks, isStopping);
  }
}
