import type { Db } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { releaseSome } from '../ordering/order-queries.ts';
import { findWebhook, updateWebhook, type WebhookRow } from '../queries.ts';
import { secretContext } from '../secrets/secret.ts';
import type { EndpointServices } from './add-endpoint.ts';
import {
  type CheckedSettings,
  checkAgainstOthers,
  checkSettings,
  columnsOf,
  type EndpointSettings,
} from './check-settings.ts';

const releaseChunkSize = 1_000;

type Changed = { webhook: WebhookRow; secret: string };

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
  const { db, vault } = services;
  const chosen = await checkSettings(services, endpoint.tenantId, given);
  const changed = await withTenantLock(db, endpoint.tenantId, async (tx) => {
    const current = await findWebhook(tx, endpoint);
    if (!current) throw notFound();
    return await storeChange(tx, vault, endpoint, chosen, current, given.offReason ?? null);
  });
  if (!changed.webhook.ordered) await endOrder(db, endpoint);
  return changed;
}

/** Lets the deliveries of an endpoint that is not ordered any more go without waiting for each other. */
export async function endOrder(db: Db, endpoint: Endpoint): Promise<void> {
  while ((await releaseSome(db, endpoint, releaseChunkSize)) === releaseChunkSize);
}

/** Stores the change of an endpoint. The caller holds the tenant's lock. */
export async function storeChange(
  tx: Db,
  vault: Vault,
  endpoint: Endpoint,
  chosen: CheckedSettings,
  current: WebhookRow,
  offReason: Fault | null,
): Promise<Changed> {
  await checkAgainstOthers(tx, endpoint, chosen, current);
  const columns = columnsOf(vault, endpoint, chosen);
  const updated = await updateWebhook(tx, endpoint, columns, offReason);
  if (!updated) throw notFound();
  const { secret, ...webhook } = updated;
  return { webhook, secret: vault.open(secret, secretContext(endpoint)) };
}
