import { isSupportedCountry } from 'libphonenumber-js/max';
import { invalid, noRoom } from '../errors.ts';
import { randomBase62, type Vault } from '../platform/crypto.ts';
import type { Database } from '../platform/database/database.ts';
import { nameFrom } from '../platform/name.ts';
import { oneAtATime } from '../tenants/one-at-a-time.ts';
import { isPlatform, platforms } from './platforms/platforms.ts';
import { insertStore, type StoreRow } from './queries.ts';
import type { StoreAuthentication } from './schema.ts';
import { sealKeys } from './store-keys.ts';

/** The dashboard shows all of a tenant, with their counts. */
const mostStores = 200;

export type NewStore = {
  platform: string;
  name: string;
  /** Made when undefined; null for a store that is known by its authentication alone. */
  secret?: string | null;
  authentication?: StoreAuthentication;
  /** Two letters (ISO 3166) in either case; the country of phones that come without one. */
  country?: string;
};

/**
 * Creates a store webhook with an address that nobody can guess.
 *
 * @returns the store, and its secret in the clear, which is shown only now
 * @throws ApiError 422 on `platform`, `name`, `secret`, `authentication` or `country`
 */
export async function createStore(
  { db, vault }: { db: Database; vault: Vault },
  tenantId: number,
  { platform, name, secret = randomBase62(40), authentication, country }: NewStore,
): Promise<{ store: StoreRow; secret: string | null }> {
  if (!isPlatform(platform)) {
    throw invalid({ platform: [`must be one of ${Object.keys(platforms).join(', ')}`] });
  }
  const shownName = nameFrom(name);
  const region = country?.toUpperCase();
  // UK, EL and the like look right, and no phone would ever be read by them.
  if (region !== undefined && !isSupportedCountry(region)) {
    throw invalid({
      country: ['must be a country code of two letters (ISO 3166), such as GB or DE'],
    });
  }
  const made = {
    webhookId: randomBase62(32),
    platform,
    name: shownName,
    country: region ?? null,
    ...sealKeys(vault, tenantId, { secret, authentication }),
  };
  const store = await oneAtATime(db, tenantId, (tx) => insertStore(tx, tenantId, made, mostStores));
  if (!store) throw noRoom('name', mostStores, 'stores');
  return { store, secret };
}
