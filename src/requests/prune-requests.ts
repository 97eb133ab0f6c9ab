import type { Config } from '../config.ts';
import type { Db } from '../platform/database/database.ts';
import { pruneInTurns } from '../platform/jobs/prune-in-chunks.ts';
import { deleteOldRequests, listTenantsWithOldRequests } from './prune-queries.ts';

const retentionDays = 7;

/**
 * Deletes logged requests after seven days, or sooner if messages of their age are deleted: bodies have texts of messages.
 */
export async function pruneRequests(
  { db, config }: { db: Db; config: Config },
  isStopping: () => boolean = () => false,
): Promise<void> {
  const limits = { olderThanDays: retentionDays, messageDays: config.messageRetentionDays };
  await pruneInTurns(
    await listTenantsWithOldRequests(db, limits),
    (tenantId, limit) => deleteOldRequests(db, tenantId, limits, limit),
    isStopping,
  );
}
