import type { Database, Db } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { tryOpen } from '../../platform/secrets/try-open.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { recordEndpoint } from '../endpoints/record-endpoint.ts';
import { findEndpointSecrets, replaceSecret, type WebhookRow } from '../queries.ts';
import { headersContext, newSecret, secretContext } from './secret.ts';

/** How long receivers have to switch to a new secret. */
const bothForSeconds = 24 * 60 * 60;

type Rotated = {
  webhook: WebhookRow;
  secret: string;
  /** Whether there were additional headers that could not be decrypted. */
  headersLost: boolean;
};

/**
 * Gives an endpoint a new secret. For 24 hours, every delivery has two signatures, one with each secret. A second
 * rotation within this time ends the older secret.
 *
 * @returns the new secret, which is shown only once
 * @throws ApiError 404 if there is no such endpoint
 */
export function rotateSecret(
  { db, vault }: { db: Database; vault: Vault },
  endpoint: Endpoint,
): Promise<Rotated> {
  return withTenantLock(db, endpoint.tenantId, (tx) => storeNewSecret(tx, vault, endpoint));
}

/**
 * Stores a new secret. Removes what a lost master key encrypted, because no delivery could be made with it: the old
 * secret and the additional headers. The caller holds the tenant's lock.
 */
export async function storeNewSecret(tx: Db, vault: Vault, endpoint: Endpoint): Promise<Rotated> {
  const old = await findEndpointSecrets(tx, endpoint);
  if (!old) throw notFound();
  const headersLost =
    old.headers !== null && tryOpen(vault, old.headers, headersContext(endpoint)) === undefined;
  const secret = newSecret();
  const webhook = await replaceSecret(tx, endpoint, {
    secret: vault.seal(secret, secretContext(endpoint)),
    keepsOldForSeconds:
      tryOpen(vault, old.secret, secretContext(endpoint)) === undefined ? null : bothForSeconds,
    headers: headersLost ? null : old.headers,
  });
  await recordEndpoint(tx, 'webhook.secret_rotated', webhook);
  return { webhook, secret, headersLost };
}
