import { createTtlCache } from '../../platform/concurrency/ttl-cache.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import { randomBase62, type Vault } from '../../platform/secrets/crypto.ts';
import { looksLikeAddressId } from '../../platform/values/cell.ts';
import { platformNames } from '../platforms/platforms.ts';
import type { StoreRow } from '../queries.ts';
import { openKeys, type StoreKeys, sealSecret } from '../setup/store-keys.ts';
import { findStoresByWebhook } from './reception-queries.ts';

/** A store with its keys opened, ready to check posts. */
export type KnownStore = StoreKeys & { tenantId: number; id: number };

/**
 * Finds stores by the last part of their address. An unknown address gives a store that no post can
 * satisfy. It is looked up and checked in the same way, so that its refusals look like all others.
 */
export function createStoreFinder({ db, vault }: { db: Database; vault: Vault }) {
  const cache = createTtlCache<KnownStore>();
  const find = createBatch<string, StoreRow | undefined>({
    run: (webhookIds) => findStoresByWebhook(db.batched, webhookIds),
    maxSize: 500,
  });
  const unknownRow = {
    tenant_id: 0,
    id: 0,
    platform: platformNames[0],
    secret: sealSecret(vault, 0, randomBase62(32)),
    authentication: null,
    previous_secret: null,
  } as StoreRow;
  const unknownStore = open(unknownRow);

  function open(row: StoreRow): KnownStore {
    return { tenantId: row.tenant_id, id: row.id, ...openKeys(vault, row) };
  }

  return {
    /** Returns the store as it was less than a second ago, or the one that no post can satisfy. */
    cached: (webhookId: string): KnownStore => cache.get(webhookId) ?? unknownStore,
    /** Reads the store from the database. */
    async lookUp(webhookId: string): Promise<KnownStore> {
      // PostgreSQL cannot read every text: one that cannot be an address is replaced.
      const row = await find(looksLikeAddressId(webhookId) ? webhookId : '');
      const store = open(row ?? unknownRow);
      if (row) cache.set(webhookId, store);
      else cache.delete(webhookId);
      return store;
    },
    isUnknown: (store: KnownStore) => store.id === 0,
  };
}
