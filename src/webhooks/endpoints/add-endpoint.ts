import type { Config } from '../../config.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { insertWebhook, listWebhooks, nextWebhookId, type WebhookRow } from '../queries.ts';
import { newSecret, secretContext } from '../secrets/secret.ts';
import {
  type CheckedSettings,
  checkAgainstOthers,
  checkSettings,
  columnsOf,
  type EndpointSettings,
} from './checking/check-settings.ts';
import { recordEndpoint } from './record-endpoint.ts';

/** How many endpoints a tenant can have, with the default one. */
const maxEndpoints = 20;

export type EndpointServices = { db: Database; vault: Vault; config: Config; outbound: Outbound };

/**
 * Adds an endpoint to those of a tenant.
 *
 * @returns the endpoint, and its secret in clear text
 * @throws ApiError 422 on a setting, or if there are too many endpoints
 */
export async function addEndpoint(
  services: EndpointServices,
  tenantId: number,
  given: EndpointSettings & { name: string },
): Promise<{ webhook: WebhookRow; secret: string }> {
  const { db, vault } = services;
  const chosen = await checkSettings(services, tenantId, given);
  return await withTenantLock(db, tenantId, async (tx) => {
    const endpoint = { tenantId, webhookId: await nextWebhookId(tx, tenantId) };
    return await insertEndpoint(tx, vault, endpoint, chosen, given.offReason ?? null);
  });
}

/** Stores a new endpoint. The caller holds the tenant's lock. */
export async function insertEndpoint(
  tx: Db,
  vault: Vault,
  endpoint: Endpoint,
  chosen: CheckedSettings,
  offReason: Fault | null,
): Promise<{ webhook: WebhookRow; secret: string }> {
  const others = await listWebhooks(tx, endpoint.tenantId);
  if (others.length >= maxEndpoints) {
    throw new ApiError('invalid', {
      message: fault(
        'too_many_endpoints',
        'The limit of {max} webhook endpoints is reached. Remove one first.',
        { max: maxEndpoints },
      ),
    });
  }
  await checkAgainstOthers(tx, endpoint, chosen, undefined);
  const secret = newSecret();
  const sealed = vault.seal(secret, secretContext(endpoint));
  const columns = { ...columnsOf(vault, endpoint, chosen), secret: sealed };
  const webhook = await insertWebhook(tx, endpoint, columns, offReason);
  await recordEndpoint(tx, 'webhook.created', webhook);
  return { webhook, secret };
}
