import type { Database } from '../platform/database/database.ts';
import { withTenantLock } from '../tenants/with-tenant-lock.ts';
import { listNumbers, setMarketingEndpoint } from './queries.ts';
import { recordNumberChange } from './record-number.ts';

/** Switches the network's endpoint for marketing templates on or off for a connected number. */
export function changeMarketingEndpoint(
  db: Database,
  tenantId: number,
  id: number,
  isOn: boolean,
): Promise<void> {
  return withTenantLock(db, tenantId, async (tx) => {
    const number = (await listNumbers(tx, tenantId)).find((each) => each.id === id);
    if (!number) return;
    await setMarketingEndpoint(tx, tenantId, id, isOn);
    await recordNumberChange(tx, tenantId, number, { marketing_endpoint: isOn });
  });
}
