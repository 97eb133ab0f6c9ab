import { cacheTtlMs, maxCacheEntries } from '../../platform/concurrency/ttl-cache.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import { randomBase62, type Vault } from '../../platform/secrets/crypto.ts';
import { looksLikeAddressId } from '../../platform/values/cell.ts';
import { platformNames } from '../platforms/platforms.ts';
import type { StoreRow } from '../queries.ts';
import { openKeys, type StoreKeys, sealKeys } from '../store-keys.ts';
import { findStoresByWebhook } from './reception-queries.ts';

/** A store with its keys opened, ready to check posts. */
export type KnownStore = StoreKeys & { tenantId: number; id: number };

/**
 * Finds stores by the last part of their address. An unknown address gives a store that no post can
 * satisfy. It is looked up and checked in the same way, so that its refusals look like all others.
 */
export function createStoreFinder({ db, vault }: { db: Database; vault: Vault }) {
  const known = new Map<string, { store: KnownStore; until: number }>();
  const find = createBatch<string, StoreRow | undefined>({
    run: (webhookIds) => findStoresByWebhook(db.batched, webhookIds),
    maxSize: 500,
  });
  const nobodyRow = {
    tenant_id: 0,
    id: 0,
    platform: platformNames[0],
    ...sealKeys(vault, 0, { secret: randomBase62(32), authentication: undefined }),
  } as StoreRow;
  const nobody = open(nobodyRow);

  function open(row: StoreRow): KnownStore {
    return { tenantId: row.tenant_id, id: row.id, ...openKeys(vault, row) };
  }

  return {
    /** Returns the store as it was less than a second ago, or the one that no post can satisfy. */
    remembered(webhookId: string): KnownStore {
      const entry = known.get(webhookId);
      return entry && entry.until > performance.now() ? entry.store : nobody;
    },
    /** Reads the store from the database. */
    async lookUp(webhookId: string): Promise<KnownStore> {
      // PostgreSQL cannot read every text: one that cannot be an address is replaced.
      const row = await find(looksLikeAddressId(webhookId) ? webhookId : '');
      const store = open(row ?? nobodyRow);
      if (!row) {
        known.delete(webhookId);
        return store;
      }
      if (known.size >= maxCacheEntries) known.clear();
      known.set(webhookId, { store, until: performance.now() + cacheTtlMs });
      return store;
    },
    isNobody: (store: KnownStore) => store.id === 0,
  };
}
