import type { Db } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { replaceSecret, type WebhookRow } from '../queries.ts';
import { newSecret, secretContext } from './secret.ts';

/** How long receivers have to switch to a new secret. */
const bothForSeconds = 24 * 60 * 60;

/**
 * Gives an endpoint a new secret. For 24 hours, every delivery has two signatures, one with each secret. A second
 * rotation within this time ends the older secret.
 *
 * @returns the new secret, which is shown only once
 * @throws ApiError 404 if there is no such endpoint
 */
export async function rotateSecret(
  { db, vault }: { db: Db; vault: Vault },
  endpoint: Endpoint,
): Promise<{ webhook: WebhookRow; secret: string }> {
  const secret = newSecret();
  const sealed = vault.seal(secret, secretContext(endpoint));
  const webhook = await replaceSecret(db, endpoint, sealed, bothForSeconds);
  if (!webhook) throw notFound();
  return { webhook, secret };
}
