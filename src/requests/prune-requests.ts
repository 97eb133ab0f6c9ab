import type { Db } from '../platform/database/database.ts';
import { pruneInChunks } from '../platform/jobs/prune-in-chunks.ts';
import { deleteOldRequests, listTenantsWithOldRequests } from './prune-queries.ts';

const retentionDays = 7;
/** The chunks of one tenant before the next tenant has its turn. */
const maxChunks = 20;

/** Deletes logged requests after seven days. */
export async function pruneRequests(
  db: Db,
  isStopping: () => boolean = () => false,
): Promise<void> {
  let tenants = await listTenantsWithOldRequests(db, retentionDays);
  while (tenants.length > 0 && !isStopping()) {
    const unfinished: number[] = [];
    for (const tenantId of tenants) {
      const prune = (limit: number) => deleteOldRequests(db, tenantId, retentionDays, limit);
      if (!(await pruneInChunks(prune, maxChunks, isStopping))) unfinished.push(tenantId);
    }
    tenants = unfinished;
  }
}
