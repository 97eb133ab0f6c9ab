import type { Db } from '../platform/database/database.ts';
import { deleteOldImports } from './files/import-log-queries.ts';
import { deleteOldBulks } from './many/bulk-queries.ts';

/** The dashboard shows the latest few only. */
const keptDays = 30;

/** Forgets imports with their reports, and changes of all contacts, that are long over. */
export async function forgetOldWork(db: Db): Promise<void> {
  await deleteOldImports(db, keptDays);
  await deleteOldBulks(db, keptDays);
}
