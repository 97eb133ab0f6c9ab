import { badRequest, notFound } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import type { Services } from '../services.ts';
import type { TenantApi } from '../tenants/tenant-api.ts';
import {
  Deliveries,
  DeliveriesQuery,
  EndpointQuery,
  Redeliver,
  Redelivered,
  RotatedSecret,
  SavedWebhook,
  SaveWebhook,
  TestSent,
  WebhookSettings,
} from './dashboard-schema.ts';
import { defaultEndpoint, type Endpoint } from './endpoint-key.ts';
import { changeEndpoint } from './endpoints/change-endpoint.ts';
import { messageCauses, messageKinds } from './endpoints/check-filters.ts';
import { presentWebhook, settingsOf } from './endpoints/present-endpoint.ts';
import { type DeliveryCursor, listDeliveries } from './log/delivery-log-queries.ts';
import { presentDeliveries } from './log/present-deliveries.ts';
import { redeliver } from './log/redeliver.ts';
import { findWebhook } from './queries.ts';
import { presentQuota } from './quota/present-quota.ts';
import { quotaOf } from './quota/quota.ts';
import { findQuota } from './quota/quota-queries.ts';
import { allEventTypes, eventTypes } from './schema.ts';
import { rotateSecret } from './secrets/rotate-secret.ts';
import { sendTestEvent } from './send-test-event.ts';
import { setWebhook } from './set-webhook.ts';
import { readDeliveryId } from './webhook-id.ts';

const deliveriesPerPage = 30;

/** Returns the endpoint that a request means. */
export function endpointOf(
  tenantId: number,
  { endpoint }: { endpoint?: number | undefined },
): Endpoint {
  return { tenantId, webhookId: endpoint ?? defaultEndpoint };
}

/** Registers the routes of a tenant's endpoint, which is the default one unless the query names it, and its log. */
export function webhookDashboardRoutes(api: TenantApi, services: Services): void {
  const owner = { owner: true };

  api.get(
    '/webhook',
    { schema: { querystring: EndpointQuery, response: { 200: WebhookSettings } } },
    async ({ db, member, query }) => {
      const endpoint = endpointOf(member.tenantId, query);
      const [row, quota] = await Promise.all([findWebhook(db, endpoint), findQuota(db, endpoint)]);
      return {
        success: true as const,
        data: {
          webhook: row ? await presentWebhook({ db, vault: services.vault }, row) : null,
          quota: presentQuota(quota, quotaOf(services.config)),
          event_types: [...eventTypes],
          all_event_types: [...allEventTypes],
          message_kinds: messageKinds,
          message_causes: messageCauses,
        },
      };
    },
  );

  api.put(
    '/webhook',
    {
      config: owner,
      schema: { querystring: EndpointQuery, body: SaveWebhook, response: { 200: SavedWebhook } },
    },
    async ({ member: { tenantId }, query, body }) => {
      const endpoint = endpointOf(tenantId, query);
      const settings = settingsOf(body);
      const isDefault = endpoint.webhookId === defaultEndpoint;
      const { webhook, created, secret } = isDefault
        ? await setWebhook(services, tenantId, settings)
        : { ...(await changeEndpoint(services, endpoint, settings)), created: false };
      return {
        success: true as const,
        data: {
          webhook: await presentWebhook(services, webhook),
          secret: created ? secret : null,
        },
      };
    },
  );

  api.post(
    '/webhook/secret',
    { config: owner, schema: { querystring: EndpointQuery, response: { 200: RotatedSecret } } },
    async ({ member, query }) => {
      const endpoint = endpointOf(member.tenantId, query);
      const { webhook, secret } = await rotateSecret(services, endpoint);
      return {
        success: true as const,
        data: {
          secret,
          previous_secret_until: webhook.previous_secret_until?.toISOString() ?? null,
        },
      };
    },
  );

  api.get(
    '/webhook/deliveries',
    {
      config: { limitConcurrency: true },
      schema: { querystring: DeliveriesQuery, response: { 200: Deliveries } },
    },
    async ({ db, member: { tenantId }, query }) => {
      const { id, event, state, since, until, after } = query;
      const filter = {
        // A text that cannot be an id matches nothing.
        ...(id !== undefined && (readDeliveryId(id.trim()) ?? { id: 0 })),
        event,
        state,
        since: since ? new Date(since) : undefined,
        until: until ? new Date(until) : undefined,
      };
      const from = after === undefined ? undefined : readCursor(after);
      const found = await listDeliveries(
        db,
        endpointOf(tenantId, query),
        filter,
        deliveriesPerPage,
        from,
      );
      const last = found.at(-1);
      return {
        success: true as const,
        data: {
          deliveries: await presentDeliveries(db, tenantId, found),
          after: found.length === deliveriesPerPage && last ? writeCursor(last.cursor) : null,
        },
      };
    },
  );

  api.post(
    '/webhook/redeliver',
    { schema: { querystring: EndpointQuery, body: Redeliver, response: { 200: Redelivered } } },
    async ({ member, query, body: { id, since, until, failed } }) => {
      if (id === undefined && !since && !until && !failed) {
        throw badRequest(
          fault(
            'no_deliveries_chosen',
            'Choose the deliveries: one by id, those of a period, or those that failed.',
          ),
        );
      }
      const deliveries = await redeliver(services, endpointOf(member.tenantId, query), {
        id,
        since: since ? new Date(since) : undefined,
        until: until ? new Date(until) : undefined,
        failed,
      });
      return { success: true as const, data: { deliveries } };
    },
  );

  api.post(
    '/webhook/test',
    { schema: { querystring: EndpointQuery, response: { 200: TestSent } } },
    async ({ member, query }) => ({
      success: true as const,
      data: { id: await sendTestEvent(services, endpointOf(member.tenantId, query)) },
    }),
  );
}

function writeCursor({ createdUs, id }: DeliveryCursor): string {
  return `${id}_${createdUs}`;
}

function readCursor(text: string): DeliveryCursor {
  const [, id, createdUs] = /^(\d{1,15})_(\d{1,16})$/.exec(text) ?? [];
  if (!id || !createdUs) throw notFound();
  return { id: Number(id), createdUs: Number(createdUs) };
}
