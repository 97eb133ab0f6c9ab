import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/** Lets one transaction at a time join or separate people of a tenant: callbacks may report the same change at once. */
export async function lockIdentities(tx: Db, tenantId: number): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended('identities ' || ${tenantId}, 0))`,
  );
}
