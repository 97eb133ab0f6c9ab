import { BoundedMap } from '../../platform/concurrency/bounded-map.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import type { SealedSecrets } from '../queries.ts';
import { headersContext, secretContext } from './secret.ts';

const maxCached = 10_000;

/** The secrets and headers of an endpoint, in clear text. */
export type OpenedSecrets = {
  /** The secrets that sign, the current one first. */
  secrets: string[];
  /** The additional headers of the endpoint. */
  headers: Record<string, string>;
};

/** Creates a function that decrypts the secrets of an endpoint, with a cache. */
export function createSecretOpener(vault: Vault) {
  const cache = new BoundedMap<string, string>(maxCached);

  function open(sealed: Buffer, context: string): string {
    const key = sealed.toString('latin1');
    let opened = cache.get(key);
    if (opened === undefined) {
      opened = vault.open(sealed, context);
      cache.set(key, opened);
    }
    return opened;
  }

  return ({
    tenant_id,
    webhook_id,
    secret,
    previous_secret,
    headers,
  }: SealedSecrets): OpenedSecrets => {
    const endpoint = { tenantId: tenant_id, webhookId: webhook_id };
    const signing = [secret, previous_secret].flatMap((sealed) =>
      sealed ? [open(sealed, secretContext(endpoint))] : [],
    );
    return {
      secrets: signing,
      headers: headers ? JSON.parse(open(headers, headersContext(endpoint))) : {},
    };
  };
}
