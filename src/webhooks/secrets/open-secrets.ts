import { BoundedMap } from '../../platform/concurrency/bounded-map.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import type { ClaimedDelivery } from '../delivering/claim-deliveries.ts';
import { secretContext } from './secret.ts';

const maxCached = 10_000;

/** Creates a function that decrypts the secrets of a delivery, the current one first, with a cache. */
export function createSecretOpener(vault: Vault) {
  const cache = new BoundedMap<string, string>(maxCached);

  function open(tenantId: number, sealed: Buffer): string {
    const key = sealed.toString('latin1');
    let secret = cache.get(key);
    if (secret === undefined) {
      secret = vault.open(sealed, secretContext(tenantId));
      cache.set(key, secret);
    }
    return secret;
  }

  return ({
    tenant_id: tenantId,
    secret,
    previous_secret: previous,
  }: Pick<ClaimedDelivery, 'tenant_id' | 'secret' | 'previous_secret'>): string[] =>
    [secret, previous].flatMap((sealed) => (sealed ? [open(tenantId, sealed)] : []));
}
