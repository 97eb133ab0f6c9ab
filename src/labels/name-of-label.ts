import sql, { raw } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import type { LabelKind } from './label-kinds.ts';

/** Finds the name of a label, for records that outlive it. */
export async function nameOfLabel(
  db: Db,
  tenantId: number,
  kind: LabelKind,
  id: number,
): Promise<string | undefined> {
  const { rows } = await db.query<{ name: string }>(sql`
    select name from ${raw(kind)} where tenant_id = ${tenantId} and id = ${id}`);
  return rows[0]?.name;
}
