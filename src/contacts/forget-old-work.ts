import type { Db } from '../platform/database/database.ts';
import { deleteOldImports } from './files/importing/import-log-queries.ts';
import { deleteOldBulks } from './many/bulk-queries.ts';

/** The dashboard shows only the latest few. */
const retentionDays = 30;

/** Deletes old imports with their reports, and old bulk changes. */
export async function forgetOldWork(db: Db): Promise<void> {
  await deleteOldImports(db, retentionDays);
  await deleteOldBulks(db, retentionDays);
}
