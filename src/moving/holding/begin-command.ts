import { commandLockClass } from '../../platform/database/advisory-locks.ts';
import type { Database } from '../../platform/database/database.ts';
import { type HeldTenant, listHeldTenants } from './hold-queries.ts';

/** The id of a tenant's lock. Ids of tenants are longer, and those of one cell differ in this part. */
export function commandLockId(tenantId: number): number {
  return tenantId % 2 ** 31;
}

/**
 * Registers a command as a possible writer of its tenant: a move waits for its end. It takes its lock before it reads
 * the holds, so that either the move sees the lock or the command sees the hold.
 *
 * @returns the hold; undefined if there is none and the command may write
 */
export async function beginCommand(
  db: Pick<Database, 'lockForLife' | 'query'>,
  tenantId: number,
): Promise<HeldTenant | undefined> {
  await db.lockForLife(commandLockClass, commandLockId(tenantId));
  return findHold(db, tenantId);
}

export async function findHold(
  db: Pick<Database, 'query'>,
  tenantId: number,
): Promise<HeldTenant | undefined> {
  const held = await listHeldTenants(db);
  return held.find(({ tenant_id }) => tenant_id === tenantId);
}
