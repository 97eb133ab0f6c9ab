import type { Db } from '../platform/database/database.ts';
import { listNumbers } from './queries.ts';

/** Pairs our ids of a tenant's connected numbers with those of the network. */
export async function numberIdsOf(
  db: Db,
  tenantId: number,
): Promise<{ id: number; phoneNumberId: string }[]> {
  const numbers = await listNumbers(db, tenantId);
  return numbers.map(({ id, phone_number_id: phoneNumberId }) => ({ id, phoneNumberId }));
}
