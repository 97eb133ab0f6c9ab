import sql from 'sql-template-tag';
import type { Database, Db } from '../platform/database/database.ts';

/**
 * Does what counts the things of a tenant before it adds one: one such work of a tenant at a time, so
 * that no two of them find the same last place.
 */
export function oneAtATime<Result>(
  db: Database,
  tenantId: number,
  work: (tx: Db) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query(sql`select from tenants where id = ${tenantId} for no key update`);
    return work(tx);
  });
}
