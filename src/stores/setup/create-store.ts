import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/database.ts';
import { invalid, noRoom } from '../../platform/errors/api-error.ts';
import { randomBase62, type Vault } from '../../platform/secrets/crypto.ts';
import { newAddressId } from '../../platform/values/cell.ts';
import { nameFrom } from '../../platform/values/texts/name.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import { isPlatform, notAPlatform } from '../platforms/platforms.ts';
import { insertStore, type StoreRow } from '../queries.ts';
import type { StoreAuthentication } from '../schema.ts';
import { readCountry } from './read-country.ts';
import { recordStore } from './record-store.ts';
import { refuseNoKeys, sealAuthentication, sealSecret } from './store-keys.ts';

/** Per tenant, because the dashboard shows all of them with their counts. */
const maxStores = 200;

export type NewStore = {
  platform: string;
  name: string;
  /** Generated if undefined; null for a store that only has an authentication. */
  secret?: string | null;
  authentication?: StoreAuthentication;
  /** The country of phones without a country code: two letters (ISO 3166), in either case. */
  country?: string;
  /** Our id of the number that sends its messages, as `checkStoreNumber` returns it. */
  numberId?: number | null;
};

/**
 * Creates a store webhook with an address that nobody can guess.
 *
 * @returns the store, and its secret in clear text, which is shown only once
 * @throws ApiError 422 on `platform`, `name`, `secret`, `authentication` or `country`
 */
export async function createStore(
  { db, vault, config }: { db: Database; vault: Vault; config: Pick<Config, 'cell'> },
  tenantId: number,
  { platform, name, secret = randomBase62(40), authentication, country, numberId }: NewStore,
): Promise<{ store: StoreRow; secret: string | null }> {
  if (!isPlatform(platform)) throw invalid({ platform: [notAPlatform] });
  const shownName = nameFrom(name);
  refuseNoKeys({ secret, authentication });
  const newStore = {
    webhookId: newAddressId(config.cell),
    platform,
    name: shownName,
    country: country === undefined ? null : readCountry(country),
    numberId: numberId ?? null,
    secret: secret === null ? null : sealSecret(vault, tenantId, secret),
    authentication: authentication ? sealAuthentication(vault, tenantId, authentication) : null,
  };
  const store = await withTenantLock(db, tenantId, async (tx) => {
    const inserted = await insertStore(tx, tenantId, newStore, maxStores);
    if (inserted) {
      await recordStore(tx, 'store.created', inserted, [{ field: 'platform', after: platform }]);
    }
    return inserted;
  });
  if (!store) throw noRoom('name', maxStores, 'stores');
  return { store, secret };
}
