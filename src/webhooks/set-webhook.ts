import { withTenantLock } from '../tenants/with-tenant-lock.ts';
import { defaultEndpointOf } from './endpoint-key.ts';
import { type EndpointServices, insertEndpoint } from './endpoints/add-endpoint.ts';
import { endOrder, storeChange } from './endpoints/change-endpoint.ts';
import { checkSettings, type EndpointSettings } from './endpoints/checking/check-settings.ts';
import { findWebhook, type WebhookRow } from './queries.ts';

/**
 * Creates a tenant's default webhook or changes the existing one. It is on afterwards, unless there is an
 * `offReason`. The secret stays the same until it is rotated. Waiting deliveries go to the new address.
 *
 * @param given without `events` a new webhook gets those of the contract, and an existing one keeps its choice
 * @returns the webhook, and the secret in clear text
 * @throws ApiError 422 on a setting, or if there are too many endpoints
 */
export async function setWebhook(
  services: EndpointServices,
  tenantId: number,
  given: EndpointSettings,
): Promise<{ webhook: WebhookRow; created: boolean; secret: string; isNewSecret: boolean }> {
  const { db, vault } = services;
  const endpoint = defaultEndpointOf(tenantId);
  const offReason = given.offReason ?? null;
  const chosen = await checkSettings(services, tenantId, given);
  const set = await withTenantLock(db, tenantId, async (tx) => {
    const current = await findWebhook(tx, endpoint);
    const stored = current
      ? await storeChange(tx, services, endpoint, chosen, current, offReason)
      : { ...(await insertEndpoint(tx, vault, endpoint, chosen, offReason)), isNewSecret: true };
    return { ...stored, created: current === undefined };
  });
  if (!set.webhook.ordered) await endOrder(db, endpoint);
  return set;
}
