import type { Database } from '../../platform/database/database.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import { keepDefaultNumber } from '../default-number.ts';
import type { NumberRow } from '../queries.ts';
import { markDisconnected } from './connecting-queries.ts';

/**
 * Disconnects a number and deletes its secrets; its messages stay. If it was the default, another one follows.
 *
 * @returns undefined if the tenant has no such connected number; otherwise the default, if a number is left
 */
export async function disconnectNumber(
  db: Database,
  tenantId: number,
  phoneNumberId: string,
): Promise<{ defaultNumber: NumberRow | undefined } | undefined> {
  return withTenantLock(db, tenantId, async (tx) => {
    if (!(await markDisconnected(tx, tenantId, phoneNumberId))) return undefined;
    return { defaultNumber: await keepDefaultNumber(tx, tenantId) };
  });
}
