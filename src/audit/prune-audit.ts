import type { Config } from '../config.ts';
import type { Db } from '../platform/database/database.ts';
import { pruneInTurns } from '../platform/jobs/prune-in-chunks.ts';
import { deleteOldEntries, listTenantsWithOldEntries } from './prune-queries.ts';

/** Deletes entries of the audit log after the retention time of the settings. */
export async function pruneAudit(
  { db, config }: { db: Db; config: Config },
  isStopping: () => boolean = () => false,
): Promise<void> {
  const { auditRetentionDays: days } = config;
  await pruneInTurns(
    await listTenantsWithOldEntries(db, days),
    (tenantId, limit) => deleteOldEntries(db, tenantId, days, limit),
    isStopping,
  );
}
