import type { Database } from '../../platform/database/database.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import { withTenantLock } from '../../tenants/with-tenant-lock.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { findWebhook, setPaused, switchWebhookOff, type WebhookRow } from '../queries.ts';
import { recordEndpoint } from './record-endpoint.ts';

/**
 * Pauses an endpoint, or lets it go on. While it is paused, its events are recorded but not sent.
 *
 * @returns undefined if there is no such endpoint
 */
export function pauseEndpoint(
  db: Database,
  endpoint: Endpoint,
  isPaused: boolean,
): Promise<WebhookRow | undefined> {
  return withTenantLock(db, endpoint.tenantId, async (tx) => {
    const before = await findWebhook(tx, endpoint);
    if (!before || (before.paused_since !== null) === isPaused) return before;
    const changed = await setPaused(tx, endpoint, isPaused);
    if (changed) await recordEndpoint(tx, isPaused ? 'webhook.paused' : 'webhook.resumed', changed);
    return changed;
  });
}

/**
 * Switches an endpoint off: its events are not recorded any more.
 *
 * @param reason kept unless the endpoint is off already
 * @returns undefined if there is no such endpoint
 */
export function switchEndpointOff(
  db: Database,
  endpoint: Endpoint,
  reason: Fault,
): Promise<WebhookRow | undefined> {
  return withTenantLock(db, endpoint.tenantId, async (tx) => {
    const before = await findWebhook(tx, endpoint);
    if (!before || before.off_since !== null) return before;
    const changed = await switchWebhookOff(tx, endpoint, reason);
    if (changed) await recordEndpoint(tx, 'webhook.switched_off', changed);
    return changed;
  });
}
