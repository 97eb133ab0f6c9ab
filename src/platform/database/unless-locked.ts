import type { Database, Db } from './database.ts';
import { isLockTimeout } from './failures/error-codes.ts';

/**
 * Runs a transaction of a background job for one tenant, unless the tenant's rows are locked for long. Other tenants do
 * not wait for them.
 *
 * @param locked the tenants that this run of the job leaves out from now on, to which this one is added if it is locked
 * @returns undefined if the tenant is locked; the transaction had no effect then
 */
export async function unlessLocked<Result>(
  db: Database,
  { tenantId, locked }: { tenantId: number; locked: Set<number> },
  work: (tx: Db) => Promise<Result>,
): Promise<Result | undefined> {
  if (locked.has(tenantId)) return undefined;
  try {
    return await db.fairTransaction(work);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    locked.add(tenantId);
    return undefined;
  }
}
