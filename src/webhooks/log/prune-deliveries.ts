import type { Config } from '../../config.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneInChunks } from '../../platform/jobs/prune-in-chunks.ts';
import { listTenantsToPrune, pruneDeliveries } from './prune-queries.ts';

/** The chunks of one tenant before the next tenant has its turn. */
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
  let tenants = await listTenantsToPrune(db, olderThanDays);
  while (tenants.length > 0 && !isStopping()) {
    const unfinished: number[] = [];
    for (const tenantId of tenants) {
      const prune = (limit: number) => pruneDeliveries(db, tenantId, olderThanDays, limit);
      if (!(await pruneInChunks(prune, maxChunks, isStopping))) unfinished.push(tenantId);
    }
    tenants = unfinished;
  }
}
