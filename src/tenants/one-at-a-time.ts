import sql from 'sql-template-tag';
import type { Database, Db } from '../platform/database/database.ts';

/**
 * Runs work that counts the things of a tenant before it adds one, under a lock of the tenant, so that no
 * two of them find the same last place. Whoever waits for the lock holds a connection; limit-concurrency.ts
 * keeps the requests that can wait here few.
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
