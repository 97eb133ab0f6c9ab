import { createBatch } from '../../platform/batching.ts';
import { randomBase62, type Vault } from '../../platform/crypto.ts';
import type { Database } from '../../platform/database.ts';
import { knownForMs, mostKnown } from '../../platform/remember-briefly.ts';
import type { StoreRow } from '../queries.ts';
import type { StoreAuthentication } from '../schema.ts';
import { findStoresByWebhook } from './reception-queries.ts';
import type { StoreKeys } from './verify-post.ts';

/** A store with its secrets opened, ready to check posts. */
export type KnownStore = StoreKeys & { tenantId: number; id: number };

/**
 * Finds stores by the end of their address. An address that is nobody's gives a store that no post
 * can satisfy, found and checked in the same way, so that its refusals cannot be told from others.
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
    platform: 'woocommerce',
    secret: vault.seal(randomBase62(32), secretContext(0, 'store-secret')),
    authentication: null,
  } as StoreRow;
  const nobody = open(nobodyRow);

  function open(row: StoreRow): KnownStore {
    const { tenant_id: tenantId, id, platform } = row;
    return { tenantId, id, platform, ...openSecrets(vault, row) };
  }

  return {
    /** The store as it was less than a second ago, or the one that no post can satisfy. */
    remembered(webhookId: string): KnownStore {
      const entry = known.get(webhookId);
      return entry && entry.until > performance.now() ? entry.store : nobody;
    },
    /** The store as it is now. */
    async lookUp(webhookId: string): Promise<KnownStore> {
      // What cannot be an address is asked for as none, which PostgreSQL can read.
      const row = await find(/^[0-9A-Za-z]{32}$/.test(webhookId) ? webhookId : '');
      const store = open(row ?? nobodyRow);
      if (!row) {
        known.delete(webhookId);
        return store;
      }
      if (known.size >= mostKnown) known.clear();
      known.set(webhookId, { store, until: performance.now() + knownForMs });
      return store;
    },
    isNobody: (store: KnownStore) => store.id === 0,
  };
}

/** The secrets of a store in the clear; undefined where it has none. */
export function openSecrets(vault: Vault, row: StoreRow) {
  const { tenant_id: tenantId, secret, authentication } = row;
  return {
    secret: secret ? vault.open(secret, secretContext(tenantId, 'store-secret')) : undefined,
    authentication: authentication
      ? (JSON.parse(
          vault.open(authentication, secretContext(tenantId, 'store-authentication')),
        ) as StoreAuthentication)
      : undefined,
  };
}

/** What a store's secret is sealed for, so that it cannot be moved to another tenant's row. */
export function secretContext(
  tenantId: number,
  kind: 'store-secret' | 'store-authentication',
): string {
  return `tenant ${tenantId} ${kind}`;
}
