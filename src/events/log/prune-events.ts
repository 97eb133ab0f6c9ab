import type { Config } from '../../config.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneInChunks } from '../../platform/jobs/prune-in-chunks.ts';
import { beginMissingLogs } from './begin-log.ts';
import { endUnreadLogs, listTenantsWithEvents, pruneLog, pruneRejected } from './prune-queries.ts';

/** The chunks of one tenant before the next tenant has its turn. */
const maxChunks = 20;

/**
 * Deletes events after the retention time of the settings, and the oldest ones of tenants above their quota. Ends
 * the logs that no token can read any more, and begins those that are missing.
 */
export async function pruneEvents(
  { db, config }: { db: Db; config: Config },
  isStopping: () => boolean = () => false,
): Promise<void> {
  await endUnreadLogs(db);
  await beginMissingLogs(db);
  await pruneRejected(db, config.eventRetentionDays);
  const limits = {
    olderThanDays: config.eventRetentionDays,
    maxBytes: config.deliveryQuotaMegabytes * 1_000_000,
  };
  let tenants = await listTenantsWithEvents(db);
  while (tenants.length > 0 && !isStopping()) {
    const unfinished: number[] = [];
    for (const tenantId of tenants) {
      const prune = (limit: number) => pruneLog(db, tenantId, limits, limit);
      if (!(await pruneInChunks(prune, maxChunks, isStopping))) unfinished.push(tenantId);
    }
    tenants = unfinished;
  }
}
