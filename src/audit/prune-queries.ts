import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { firstOfEach } from '../platform/database/first-of-each.ts';
import { isCopied } from '../platform/jobs/is-held.ts';

/** Lists the tenants with entries that are too old and may be deleted now. */
export async function listTenantsWithOldEntries(db: Db, olderThanDays: number): Promise<number[]> {
  const { rows } = await db.query<{ tenant_id: number }>(sql`
    with recursive ${firstOfEach('audit_entries', { order: 'at' })}
    select tenant_id from firsts
    where at < now() - ${olderThanDays}::int * interval '1 day'
      and not ${isCopied(sql`firsts.tenant_id`)}`);
  return rows.map(({ tenant_id: id }) => id);
}

/**
 * Deletes the oldest entries of a tenant that are too old.
 *
 * @returns how many; less than `limit` if there are no more
 */
export async function deleteOldEntries(
  db: Db,
  tenantId: number,
  olderThanDays: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from audit_entries where tenant_id = ${tenantId} and id = any(array(
      select id from audit_entries
      where tenant_id = ${tenantId} and at < now() - ${olderThanDays}::int * interval '1 day'
      order by at limit ${limit}))`);
  return rowCount ?? 0;
}
