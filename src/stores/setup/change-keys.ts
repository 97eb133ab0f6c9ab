import type { Database } from '../../platform/database/database.ts';
import { invalid } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { randomBase62, type Vault } from '../../platform/secrets/crypto.ts';
import { type StoreRow, setStoreKeys } from '../queries.ts';
import type { StoreAuthentication } from '../schema.ts';
import { recordStore } from './record-store.ts';
import { openKeys, refuseNoKeys, sealAuthentication, sealSecret } from './store-keys.ts';

/** New keys of a store. A key that is undefined stays as it is; null removes it. */
export type ChangedKeys = {
  secret?: string | null | undefined;
  /** Generates a secret, in place of `secret`. */
  new_secret?: boolean | undefined;
  authentication?: StoreAuthentication | null | undefined;
};

/**
 * Changes the secret of a store, its authentication, or both. The old secret is accepted for another hour, so that posts
 * are not lost until the new one is entered in the store. The old authentication is refused within a second.
 *
 * @returns the new secret in clear text, which is shown only once; null if there is none
 * @throws ApiError 422 on `secret` or `authentication`
 */
export async function changeKeys(
  { db, vault }: { db: Database; vault: Vault },
  store: StoreRow,
  { secret: given, new_secret: isGenerated = false, authentication }: ChangedKeys,
): Promise<string | null> {
  if (isGenerated && given !== undefined) {
    throw invalid({ secret: [fault('secret_and_new_secret', 'must be absent with new_secret')] });
  }
  const secret = isGenerated ? randomBase62(40) : given;
  const kept = {
    secret: secret === undefined ? store.secret : null,
    authentication: authentication === undefined ? store.authentication : null,
  };
  refuseNoKeys({
    secret: secret ?? kept.secret,
    authentication: authentication ?? kept.authentication,
  });
  const isReadable = canOpen(vault, store);
  if (!isReadable) refuseToKeep(kept);

  const { tenant_id: tenantId } = store;
  const sealedSecret = secret ? sealSecret(vault, tenantId, secret) : null;
  const sealed = authentication ? sealAuthentication(vault, tenantId, authentication) : null;
  const keys = {
    ...(secret === undefined
      ? {}
      : { secret: sealedSecret, previousSecret: sealedSecret && isReadable ? store.secret : null }),
    ...(authentication === undefined ? {} : { authentication: sealed }),
  };
  await db.transaction(async (tx) => {
    await setStoreKeys(tx, tenantId, store.id, keys);
    const changed = (['secret', 'authentication'] as const).filter((key) =>
      Object.hasOwn(keys, key),
    );
    await recordStore(
      tx,
      'store.keys_changed',
      store,
      changed.map((field) => ({ field })),
    );
  });
  return secret ?? null;
}

/** Returns whether the keys of a store can be opened: they cannot after the master key was lost. */
function canOpen(vault: Vault, store: StoreRow): boolean {
  try {
    openKeys(vault, store);
    return true;
  } catch {
    return false;
  }
}

/** No post could be verified with a key that cannot be opened. */
function refuseToKeep(kept: { secret: unknown; authentication: unknown }): void {
  const lost = fault('key_of_store_lost', 'cannot be kept, because it cannot be decrypted');
  const fields = (['secret', 'authentication'] as const).filter((name) => kept[name]);
  if (fields.length > 0) throw invalid(Object.fromEntries(fields.map((name) => [name, [lost]])));
}
