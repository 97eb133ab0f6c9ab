import type { Database } from '../platform/database/database.ts';
import { retryDeadlock } from '../platform/database/failures/retry-deadlock.ts';
import { changeTenant } from './change-tenant.ts';
import { deleteRows, deleteTenantRow } from './queries.ts';

/** Tables that grow with use. A tenant's other rows are few, or are deleted with these. */
const largeTables = [
  'messages',
  'conversations',
  'contacts',
  'deliveries',
  'event_outbox',
  'api_requests',
  'audit_entries',
  'events',
  'conversation_sequences',
  'event_batches',
  'store_events',
  'store_resources',
  'store_hours',
  'idempotency_keys',
  'conversation_aliases',
  'new_aliases',
  'identity_merges',
  'former_phones',
  'erasures',
  'gathered_messages',
  'media_uploads',
  'send_rates',
];
const chunkSize = 1_000;

/**
 * Deletes a tenant and everything it owns, after switching off its API access. Large tables are
 * deleted in small statements: a concurrent write for the tenant waits for the end of one, and so
 * do writes of other tenants in the same batch.
 */
export async function deleteTenant(db: Database, tenantId: number): Promise<void> {
  await changeTenant(db, tenantId, { api_access: false });
  for (const table of largeTables) {
    const deleteChunk = () => deleteRows(db.batched, tenantId, table, chunkSize);
    while ((await retryDeadlock(deleteChunk)) === chunkSize);
  }
  await retryDeadlock(() => deleteTenantRow(db, tenantId));
  // These have no foreign key, so a request that was in progress may have left some.
  for (const table of ['messages', 'event_outbox', 'api_requests']) {
    while ((await deleteRows(db.batched, tenantId, table, chunkSize)) === chunkSize);
  }
}
