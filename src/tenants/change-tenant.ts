import { recordChange } from '../audit/record-audit.ts';
import type { Database, Db } from '../platform/database/database.ts';
import {
  lockTenant,
  settingColumns,
  type Tenant,
  type TenantChange,
  updateTenant,
} from './queries.ts';

/**
 * Changes settings of a tenant. One that is undefined stays as it is.
 *
 * @returns undefined if there is no such tenant
 */
export function changeTenant(
  db: Database,
  tenantId: number,
  change: TenantChange,
): Promise<Tenant | undefined> {
  return db.transaction((tx) => changeTenantIn(tx, tenantId, change));
}

/** The same in a transaction of the caller. */
export async function changeTenantIn(
  tx: Db,
  tenantId: number,
  change: TenantChange,
): Promise<Tenant | undefined> {
  const before = await lockTenant(tx, tenantId);
  if (!before) return undefined;
  const changed = await updateTenant(tx, tenantId, change);
  await recordChange(tx, tenantId, {
    action: 'tenant.changed',
    before,
    after: { ...changed },
    shown: settingColumns,
  });
  return changed;
}
