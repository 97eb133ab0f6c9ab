import sql from 'sql-template-tag';
import type { Database, Db } from '../platform/database/database.ts';

/**
 * Runs `work` in a transaction that holds the tenant's lock. For work that counts a tenant's rows
 * before it adds one: without the lock, two of them could both add the last one allowed. Waiting
 * for the lock holds a connection; limit-concurrency.ts limits how many requests can wait here.
 */
export function withTenantLock<Result>(
  db: Database,
  tenantId: number,
  work: (tx: Db) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query(sql`select from tenants where id = ${tenantId} for no key update`);
    return work(tx);
  });
}
