import type { Db } from '../platform/database/database.ts';
import { randomBase62, type Vault } from '../platform/secrets/crypto.ts';
import { type StoreRow, setStoreKeys } from './queries.ts';
import type { StoreAuthentication } from './schema.ts';
import { sealKeys } from './store-keys.ts';

/**
 * Replaces the secret and the authentication of a store. The old ones are refused within a second.
 *
 * @param secret generated if undefined; null for none
 * @returns the secret in clear text, which is shown only once
 * @throws ApiError 422 on `secret` or `authentication`
 */
export async function changeKeys(
  { db, vault }: { db: Db; vault: Vault },
  store: StoreRow,
  {
    secret = randomBase62(40),
    authentication,
  }: { secret?: string | null; authentication?: StoreAuthentication },
): Promise<string | null> {
  const keys = sealKeys(vault, store.tenant_id, { secret, authentication });
  await setStoreKeys(db, store.tenant_id, store.id, keys);
  return secret;
}
