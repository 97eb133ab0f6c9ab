import type { Database } from '../platform/database/database.ts';
import { retryDeadlock } from '../platform/database/retry-deadlock.ts';
import { deleteSomeRows, deleteTenantRow, updateTenant } from './queries.ts';

/** What grows with use; all else of a tenant is little, or goes with these. */
const large = [
  'messages',
  'contacts',
  'deliveries',
  'event_batches',
  'store_events',
  'store_resources',
  'idempotency_keys',
];
const rowsAtOnce = 1_000;

/**
 * Deletes a tenant and everything it owns; its API access ends first. What there can be much of goes
 * in small statements: who writes something for the tenant meanwhile waits for the end of one, and so
 * do those of other tenants whose writing goes in the same batch.
 */
export async function deleteTenant(db: Database, tenantId: number): Promise<void> {
  await updateTenant(db, tenantId, { api_access: false });
  for (const table of large) {
    const deleteSome = () => deleteSomeRows(db.batched, tenantId, table, rowsAtOnce);
    while ((await retryDeadlock(deleteSome)) === rowsAtOnce);
  }
  await retryDeadlock(() => deleteTenantRow(db, tenantId));
}
