import { causesInUse } from '../messages/record/cause.ts';
import { messageKinds } from '../messages/record/message-kinds.ts';
import { success } from '../platform/http/success.ts';
import type { Services } from '../services.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import {
  EndpointQuery,
  RotatedSecret,
  SavedWebhook,
  SaveWebhook,
  TestSent,
  WebhookSettings,
} from './dashboard-schema.ts';
import { defaultEndpoint, endpointFrom } from './endpoint-key.ts';
import { changeEndpoint } from './endpoints/change-endpoint.ts';

import { presentWebhook, settingsOf } from './endpoints/present-endpoint.ts';
import { findWebhook } from './queries.ts';
import { presentQuota } from './quota/present-quota.ts';
import { quotaOf } from './quota/quota.ts';
import { findQuota } from './quota/quota-queries.ts';
import { allEventTypes, eventTypes } from './schema.ts';
import { rotateSecret } from './secrets/rotate-secret.ts';
import { sendTestEvent } from './send-test-event.ts';
import { setWebhook } from './set-webhook.ts';

/** Registers the routes of a tenant's endpoint, which is the default one unless the query names it. */
export function webhookDashboardRoutes(api: TenantApi, services: Services): void {
  const owner = { owner: true };

  api.get(
    '/webhook',
    { schema: { querystring: EndpointQuery, response: { 200: WebhookSettings } } },
    async ({ db, member, query }) => {
      const endpoint = endpointFrom(member.tenantId, query);
      const [row, quota] = await Promise.all([findWebhook(db, endpoint), findQuota(db, endpoint)]);
      return success({
        data: {
          webhook: row ? await presentWebhook({ db, vault: services.vault }, row) : null,
          quota: presentQuota(quota, quotaOf(services.config)),
          event_types: [...eventTypes],
          all_event_types: [...allEventTypes],
          message_kinds: messageKinds,
          message_causes: [...causesInUse],
        },
      });
    },
  );

  api.put(
    '/webhook',
    {
      config: owner,
      schema: { querystring: EndpointQuery, body: SaveWebhook, response: { 200: SavedWebhook } },
    },
    async ({ member: { tenantId }, query, body }) => {
      const endpoint = endpointFrom(tenantId, query);
      const settings = settingsOf(body);
      const isDefault = endpoint.webhookId === defaultEndpoint;
      const { webhook, secret, isNewSecret } = isDefault
        ? await setWebhook(services, tenantId, settings)
        : await changeEndpoint(services, endpoint, settings);
      return success({
        data: {
          webhook: await presentWebhook(services, webhook),
          secret: isNewSecret ? secret : null,
        },
      });
    },
  );

  api.post(
    '/webhook/secret',
    { config: owner, schema: { querystring: EndpointQuery, response: { 200: RotatedSecret } } },
    async ({ member, query }) => {
      const endpoint = endpointFrom(member.tenantId, query);
      const { webhook, secret } = await rotateSecret(services, endpoint);
      return success({
        data: {
          secret,
          previous_secret_until: webhook.previous_secret_until?.toISOString() ?? null,
        },
      });
    },
  );

  api.post(
    '/webhook/test',
    { schema: { querystring: EndpointQuery, response: { 200: TestSent } } },
    async ({ member, query }) =>
      success({
        data: { id: await sendTestEvent(services, endpointFrom(member.tenantId, query)) },
      }),
  );
}
