import type { Database } from '../../platform/database/database.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import { findStore, type StoreRow, setPaused } from '../queries.ts';
import { recordStore } from './record-store.ts';

/**
 * Lets the posts of a store wait, or processes them again. A store that is paused already gets the new reason.
 *
 * @param pause.reason the operator's explanation for the tenant
 * @returns undefined if the tenant has no such store
 */
export function pauseStore(
  db: Database,
  store: Pick<StoreRow, 'tenant_id' | 'id'>,
  pause: { isPaused: boolean; reason: string | null },
): Promise<StoreRow | undefined> {
  return withTenantLock(db, store.tenant_id, async (tx) => {
    const before = await findStore(tx, store.tenant_id, store.id);
    const changed = await setPaused(tx, store, pause);
    if (changed && (before?.paused_since !== null) !== pause.isPaused) {
      await recordStore(tx, pause.isPaused ? 'store.paused' : 'store.resumed', changed);
    }
    return changed;
  });
}
