import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { holdsTenant, isElsewhere } from '../../platform/jobs/is-held.ts';

/** A tenant that takes no writes here. While it is only held, it still serves reads. */
export type HeldTenant = { tenant_id: number; id: number; serves_reads: boolean };

/** Lists the tenants that are held for a move, or are old or unfinished copies. */
export async function listHeldTenants(db: Db): Promise<HeldTenant[]> {
  const { rows } = await db.query<HeldTenant>(sql`
    select tenant_id, id, not ${isElsewhere} as serves_reads
    from tenant_moves where ${holdsTenant}`);
  return rows;
}
