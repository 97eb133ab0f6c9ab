import type { Db } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/failures/retry-deadlock.ts';
import { ApiError, notFound } from '../../platform/errors/api-error.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import { fault } from '../../platform/errors/fault.ts';
import { tryOpen } from '../../platform/secrets/try-open.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { releaseSome } from '../ordering/order-queries.ts';
import { findWebhook, updateWebhook, type WebhookRow } from '../queries.ts';
import { storeNewSecret } from '../secrets/rotate-secret.ts';
import { secretContext } from '../secrets/secret.ts';
import type { EndpointServices } from './add-endpoint.ts';
import {
  type CheckedSettings,
  checkAgainstOthers,
  checkSettings,
  columnsOf,
  type EndpointSettings,
} from './checking/check-settings.ts';
import { recordEndpointChange } from './record-endpoint.ts';

const releaseChunkSize = 1_000;

/** `isNewSecret`: a lost master key had encrypted the secret, so it was replaced. */
type Changed = { webhook: WebhookRow; secret: string; isNewSecret: boolean };

/**
 * Changes an endpoint. It is on afterwards, unless there is an `offReason`. The secret stays the same until it is
 * rotated. Waiting deliveries go to the new address.
 *
 * @returns the endpoint, and its secret in clear text
 * @throws ApiError 404 if there is none, 422 on a setting
 */
export async function changeEndpoint(
  services: EndpointServices,
  endpoint: Endpoint,
  given: EndpointSettings,
): Promise<Changed> {
  const { db } = services;
  const chosen = await checkSettings(services, endpoint.tenantId, given);
  const changed = await withTenantLock(db, endpoint.tenantId, async (tx) => {
    const current = await findWebhook(tx, endpoint);
    if (!current) throw notFound();
    return await storeChange(tx, services, endpoint, chosen, current, given.offReason ?? null);
  });
  if (!changed.webhook.ordered) await endOrder(db, endpoint);
  return changed;
}

/** Lets the deliveries of an endpoint that is not ordered any more go without waiting for each other. */
export async function endOrder(db: Db, endpoint: Endpoint): Promise<void> {
  const releaseChunk = () => releaseSome(db, endpoint, releaseChunkSize);
  while ((await retryDeadlock(releaseChunk)) === releaseChunkSize);
}

/**
 * Stores the change of an endpoint. The caller holds the tenant's lock.
 *
 * @throws ApiError 422 on a setting, or if the secret cannot be decrypted and the master key is not known to be lost
 */
export async function storeChange(
  tx: Db,
  { vault, config }: Pick<EndpointServices, 'vault' | 'config'>,
  endpoint: Endpoint,
  chosen: CheckedSettings,
  current: WebhookRow,
  offReason: Fault | null,
): Promise<Changed> {
  await checkAgainstOthers(tx, endpoint, chosen, current);
  const columns = columnsOf(vault, endpoint, chosen);
  const updated = await updateWebhook(tx, endpoint, columns, offReason);
  if (!updated) throw notFound();
  const { secret: sealed, ...webhook } = updated;
  await recordEndpointChange(tx, current, webhook);
  const secret = tryOpen(vault, sealed, secretContext(endpoint));
  if (secret !== undefined) return { webhook, secret, isNewSecret: false };
  // A command with a wrong key must not replace a secret that the service can decrypt.
  if (!config.masterKeyLost) {
    throw new ApiError('invalid', {
      message: fault(
        'secret_unreadable',
        'The secret of the webhook was encrypted with another master key. Restore that key, or rotate the secret first.',
      ),
    });
  }
  return { ...(await storeNewSecret(tx, vault, endpoint)), isNewSecret: true };
}
