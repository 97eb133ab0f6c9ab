import type { Db } from '../platform/database/database.ts';
import { pruneInTurns } from '../platform/jobs/prune-in-chunks.ts';
import { deleteOldRequests, listTenantsWithOldRequests } from './prune-queries.ts';

const retentionDays = 7;

/** Deletes logged requests after seven days. */
export async function pruneRequests(
  db: Db,
  isStopping: () => boolean = () => false,
): Promise<void> {
  await pruneInTurns(
    await listTenantsWithOldRequests(db, retentionDays),
    (tenantId, limit) => deleteOldRequests(db, tenantId, retentionDays, limit),
    isStopping,
  );
}
