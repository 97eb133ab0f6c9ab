import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';

/** Pairs our ids of a tenant's numbers with those of the network, also of numbers that were disconnected. */
export async function numberIdsOf(
  db: Db,
  tenantId: number,
): Promise<{ id: number; phoneNumberId: string }[]> {
  const { rows } = await db.query<{ id: number; phone_number_id: string }>(sql`
    select id, phone_number_id from numbers where tenant_id = ${tenantId}`);
  return rows.map(({ id, phone_number_id: phoneNumberId }) => ({ id, phoneNumberId }));
}
