import type { Db } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { requestHeaders } from '../delivering/request-headers.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { findEndpointSecrets, findWebhook } from '../queries.ts';
import { createSecretOpener } from '../secrets/open-secrets.ts';
import { webhookId } from '../webhook-id.ts';
import { findBodies, listDeliveries } from './delivery-log-queries.ts';

const maxBodyBytes = 1_000_000;

/**
 * Presents the request of a delivery as it would be sent at `now`, so that it can be tried by hand: receivers accept
 * signatures of the last minutes. The values of additional headers are left out.
 *
 * @throws ApiError 404 if the endpoint has no such delivery
 */
export async function presentRequest(
  { db, vault }: { db: Db; vault: Vault },
  endpoint: Endpoint,
  id: number,
  now: Date,
) {
  const [found] = await listDeliveries(db, endpoint, { id }, 1);
  const webhook = await findWebhook(db, endpoint);
  const sealed = await findEndpointSecrets(db, endpoint);
  if (!found || !webhook || !sealed) throw notFound();
  const body = (await findBodies(db, endpoint, [id], maxBodyBytes)).get(id) ?? null;
  const { secrets, headers } = createSecretOpener(vault)(sealed);
  const hidden = Object.fromEntries(Object.keys(headers).map((name) => [name, '…']));
  const sent = requestHeaders(webhookId(found), now, body ?? '', { secrets, headers: hidden });
  return {
    url: webhook.url,
    headers: Object.entries(sent).map(([name, value]) => ({ name, value })),
    body,
  };
}
