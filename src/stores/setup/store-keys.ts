import { invalid } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import type { PlatformName } from '../platforms/platforms.ts';
import type { StoreRow } from '../queries.ts';
import type { StoreAuthentication } from '../schema.ts';

/** The keys that the posts of a store are verified with, in clear text; undefined if not set. */
export type StoreKeys = {
  platform: PlatformName;
  secret: string | undefined;
  /** The secret before the last change, which is accepted too; undefined if that was more than an hour ago. */
  previousSecret?: string | undefined;
  authentication: StoreAuthentication | undefined;
};

/**
 * Checks the secret of a store and seals it.
 *
 * @throws ApiError 422 on `secret`
 */
export function sealSecret(vault: Vault, tenantId: number, secret: string): Buffer {
  if (secret.length < 8 || secret.length > 1_000) {
    throw invalid({ secret: [fault('secret_length', 'must have 8 to 1,000 characters')] });
  }
  return vault.seal(secret, storeContext(tenantId, 'store-secret'));
}

/**
 * Checks the authentication of a store and seals it.
 *
 * @throws ApiError 422 on `authentication`
 */
export function sealAuthentication(
  vault: Vault,
  tenantId: number,
  authentication: StoreAuthentication,
): Buffer {
  refuseBadAuthentication(authentication);
  const context = storeContext(tenantId, 'store-authentication');
  return vault.seal(JSON.stringify(authentication), context);
}

/**
 * Refuses a store without any key, because anybody could post to it.
 *
 * @throws ApiError 422 on `secret`
 */
export function refuseNoKeys(keys: { secret: unknown; authentication: unknown }): void {
  if (keys.secret || keys.authentication) return;
  throw invalid({
    secret: [fault('secret_or_authentication', 'is required if no authentication is set')],
  });
}

export function openKeys(vault: Vault, row: StoreRow): StoreKeys {
  const { tenant_id: tenantId, platform } = row;
  const open = (secret: Buffer | null) =>
    secret ? vault.open(secret, storeContext(tenantId, 'store-secret')) : undefined;
  return {
    platform,
    secret: open(row.secret),
    previousSecret: open(row.previous_secret),
    authentication: openAuthentication(vault, row),
  };
}

export function openAuthentication(
  vault: Vault,
  { tenant_id: tenantId, authentication }: StoreRow,
): StoreAuthentication | undefined {
  return authentication
    ? JSON.parse(vault.open(authentication, storeContext(tenantId, 'store-authentication')))
    : undefined;
}

/** The context that a key is sealed for: the key cannot be opened in another tenant's row. */
export function storeContext(
  tenantId: number,
  kind: 'store-secret' | 'store-authentication',
): string {
  return `tenant ${tenantId} ${kind}`;
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
        ? fault('header_shape', 'must be a header name and a value of printable characters')
        : fault('user_shape', 'must be a user name without a colon, and a password'),
    ],
  });
}
