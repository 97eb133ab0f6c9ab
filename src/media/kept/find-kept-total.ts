import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/** Finds how many files of a tenant are kept, and their size. */
export async function findKeptTotal(
  db: Db,
  tenantId: number,
): Promise<{ files: number; bytes: number }> {
  const { rows } = await db.query<{ files: number; bytes: number }>(sql`
    select files, bytes from kept_file_totals where tenant_id = ${tenantId}`);
  return rows[0] ?? { files: 0, bytes: 0 };
}
