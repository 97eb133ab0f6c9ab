import { isSupportedCountry } from 'libphonenumber-js/max';
import { invalid, noRoom } from '../errors.ts';
import { randomBase62, type Vault } from '../platform/crypto.ts';
import type { Db } from '../platform/database.ts';
import { nameProblem } from '../platform/name.ts';
import { isPlatform, platforms } from './platforms/platforms.ts';
import { insertStore, type StoreRow } from './queries.ts';
import { secretContext } from './reception/find-store.ts';
import type { StoreAuthentication } from './schema.ts';

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
  { db, vault }: { db: Db; vault: Vault },
  tenantId: number,
  { platform, name, secret = randomBase62(40), authentication, country }: NewStore,
): Promise<{ store: StoreRow; secret: string | null }> {
  if (!isPlatform(platform)) {
    throw invalid({ platform: [`must be one of ${Object.keys(platforms).join(', ')}`] });
  }
  const problem = nameProblem(name);
  if (problem) throw invalid({ name: [problem] });
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
    name,
    country: region ?? null,
    ...sealKeys(vault, tenantId, { secret, authentication }),
  };
  const store = await insertStore(db, tenantId, made, mostStores);
  if (!store) throw noRoom('name', mostStores, 'stores already');
  return { store, secret };
}

/**
 * The keys of a store, checked and ready to be kept.
 *
 * @throws ApiError 422 on `secret` or `authentication`
 */
export function sealKeys(
  vault: Vault,
  tenantId: number,
  keys: { secret: string | null; authentication: StoreAuthentication | undefined },
): { secret: Buffer | null; authentication: Buffer | null } {
  const { secret, authentication } = keys;
  if (secret === null && !authentication) {
    throw invalid({ secret: ['is required where no authentication is set'] });
  }
  if (secret !== null && (secret.length < 8 || secret.length > 1_000)) {
    throw invalid({ secret: ['must have 8 to 1,000 characters'] });
  }
  if (authentication) refuseBadAuthentication(authentication);
  const sealed = authentication && JSON.stringify(authentication);
  return {
    secret: secret === null ? null : vault.seal(secret, secretContext(tenantId, 'store-secret')),
    authentication: sealed
      ? vault.seal(sealed, secretContext(tenantId, 'store-authentication'))
      : null,
  };
}

function refuseBadAuthentication(authentication: StoreAuthentication): void {
  const isRight =
    authentication.type === 'header'
      ? /^[A-Za-z0-9-]{1,100}$/.test(authentication.name) &&
        /^[\x21-\x7e]([\x20-\x7e]{0,998}[\x21-\x7e])?$/.test(authentication.value)
      : /^[^:\p{Cc}]{1,200}$/u.test(authentication.username) &&
        /^\P{Cc}{1,1000}$/u.test(authentication.password);
  if (isRight) return;
  throw invalid({
    authentication: [
      authentication.type === 'header'
        ? 'must be a header name and a value of printable characters'
        : 'must be a user name without a colon, and a password',
    ],
  });
}
