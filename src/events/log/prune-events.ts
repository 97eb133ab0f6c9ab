import type { Config } from '../../config.ts';
import type { Db } from '../../platform/database/database.ts';
import { pruneInTurns } from '../../platform/jobs/prune-in-chunks.ts';
import { beginMissingLogs } from './begin-log.ts';
import { endUnreadLogs, listTenantsWithEvents, pruneLog, pruneRejected } from './prune-queries.ts';

/**
 * Deletes events after the retention time of the settings, and the oldest ones of tenants above their quota. Ends
 * the logs that no token could read for this time, and begins those that are missing.
 */
export async function pruneEvents(
  { db, config }: { db: Db; config: Config },
  isStopping: () => boolean = () => false,
): Promise<void> {
  await endUnreadLogs(db, config.eventRetentionDays);
  await beginMissingLogs(db);
  await pruneRejected(db, config.eventRetentionDays);
  const limits = {
    olderThanDays: config.eventRetentionDays,
    messageDays: config.messageRetentionDays,
    maxBytes: config.deliveryQuotaMegabytes * 1_000_000,
  };
  await pruneInTurns(
    await listTenantsWithEvents(db),
    (tenantId, limit) => pruneLog(db, tenantId, limits, limit),
    isStopping,
  );
}
