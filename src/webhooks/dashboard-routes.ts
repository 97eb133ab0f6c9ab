import { badRequest, notFound } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import type { Services } from '../services.ts';
import type { TenantApi } from '../tenants/tenant-api.ts';
import {
  Deliveries,
  DeliveriesQuery,
  Redeliver,
  Redelivered,
  RotatedSecret,
  SavedWebhook,
  SaveWebhook,
  TestSent,
  WebhookSettings,
} from './dashboard-schema.ts';
import { type DeliveryCursor, listDeliveries } from './log/delivery-log-queries.ts';
import { presentDeliveries } from './log/present-deliveries.ts';
import { redeliver } from './log/redeliver.ts';
import { findWebhook, type WebhookRow } from './queries.ts';
import { presentQuota } from './quota/present-quota.ts';
import { quotaOf } from './quota/quota.ts';
import { findQuota } from './quota/quota-queries.ts';
import { eventTypes, selectorsOf } from './schema.ts';
import { rotateSecret } from './secrets/rotate-secret.ts';
import { sendTestEvent } from './send-test-event.ts';
import { setWebhook } from './set-webhook.ts';
import { readDeliveryId } from './webhook-id.ts';

const deliveriesPerPage = 30;

/** Registers the routes of the tenant's webhook and its delivery log. */
export function webhookDashboardRoutes(api: TenantApi, services: Services): void {
  const owner = { owner: true };

  api.get(
    '/webhook',
    { schema: { response: { 200: WebhookSettings } } },
    async ({ db, member }) => {
      const [row, quota] = await Promise.all([
        findWebhook(db, member.tenantId),
        findQuota(db, member.tenantId),
      ]);
      return {
        success: true as const,
        data: {
          webhook: row ? presentWebhook(row) : null,
          quota: presentQuota(quota, quotaOf(services.config)),
          event_types: [...eventTypes],
        },
      };
    },
  );

  api.put(
    '/webhook',
    { config: owner, schema: { body: SaveWebhook, response: { 200: SavedWebhook } } },
    async ({ member, body: { on, url, events } }) => {
      const { webhook, created, secret } = await setWebhook(services, member.tenantId, {
        url: url.trim(),
        events,
        offReason: on ? undefined : 'Switched off in the dashboard.',
      });
      return {
        success: true as const,
        data: { webhook: presentWebhook(webhook), secret: created ? secret : null },
      };
    },
  );

  api.post(
    '/webhook/secret',
    { config: owner, schema: { response: { 200: RotatedSecret } } },
    async ({ member }) => {
      const { webhook, secret } = await rotateSecret(services, member.tenantId);
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
    async ({ db, member: { tenantId }, query: { id, event, state, since, until, after } }) => {
      const filter = {
        // A text that cannot be an id matches nothing.
        ...(id !== undefined && (readDeliveryId(id.trim()) ?? { id: 0 })),
        event,
        state,
        since: since ? new Date(since) : undefined,
        until: until ? new Date(until) : undefined,
      };
      const from = after === undefined ? undefined : readCursor(after);
      const found = await listDeliveries(db, tenantId, filter, deliveriesPerPage, from);
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
    { schema: { body: Redeliver, response: { 200: Redelivered } } },
    async ({ member, body: { id, since, until, failed } }) => {
      if (id === undefined && !since && !until && !failed) {
        throw badRequest(
          fault(
            'no_deliveries_chosen',
            'Choose the deliveries: one by id, those of a period, or those that failed.',
          ),
        );
      }
      const deliveries = await redeliver(services, member.tenantId, {
        id,
        since: since ? new Date(since) : undefined,
        until: until ? new Date(until) : undefined,
        failed,
      });
      return { success: true as const, data: { deliveries } };
    },
  );

  api.post('/webhook/test', { schema: { response: { 200: TestSent } } }, async ({ member }) => ({
    success: true as const,
    data: { id: await sendTestEvent(services, member.tenantId) },
  }));
}

function presentWebhook(row: WebhookRow) {
  return {
    url: row.url,
    events: selectorsOf(row.events),
    on: row.off_since === null,
    off_reason: row.off_reason,
    off_since: row.off_since?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_secret_until: row.previous_secret_until?.toISOString() ?? null,
  };
}

function writeCursor({ createdUs, id }: DeliveryCursor): string {
  return `${id}_${createdUs}`;
}

function readCursor(text: string): DeliveryCursor {
  const [, id, createdUs] = /^(\d{1,15})_(\d{1,16})$/.exec(text) ?? [];
  if (!id || !createdUs) throw notFound();
  return { id: Number(id), createdUs: Number(createdUs) };
}
