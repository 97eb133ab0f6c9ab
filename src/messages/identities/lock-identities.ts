import sql from 'sql-template-tag';
import { createKeyedSemaphore } from '../../platform/concurrency/keyed-semaphore.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/failures/retry-deadlock.ts';

/** Transactions of a tenant that would wait for each other in the database wait here, without a connection. */
const { withPermit } = createKeyedSemaphore<number>(1);

/**
 * Runs a transaction that joins or separates people of a tenant: one at a time, because callbacks may report the same
 * change at once. It may take many seconds.
 *
 * @param work runs again after a deadlock
 */
export function withIdentitiesLocked<Result>(
  db: Database,
  tenantId: number,
  work: (tx: Db) => Promise<Result>,
): Promise<Result> {
  return withPermit(tenantId, () =>
    retryDeadlock(() =>
      db.transaction(async (tx) => {
        await lockIdentities(tx, tenantId);
        return work(tx);
      }),
    ),
  );
}

/** Keeps others from joining or separating people of a tenant until the transaction ends. */
export async function lockIdentities(tx: Db, tenantId: number): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended('identities ' || ${tenantId}, 0))`,
  );
}
