import { notFound } from '../../platform/errors/api-error.ts';
import { success } from '../../platform/http/success.ts';
import type { Services } from '../../services.ts';
import type { TenantApi } from '../../tenants/api/tenant-api.ts';
import {
  AddEndpoint,
  ChangedWebhook,
  EndpointQuery,
  Endpoints,
  PauseWebhook,
  Removed,
  SavedWebhook,
} from '../dashboard-schema.ts';
import { endpointFrom } from '../endpoint-key.ts';
import { listWebhooks } from '../queries.ts';
import { addEndpoint } from './add-endpoint.ts';
import { findHealth } from './health-queries.ts';
import { pauseEndpoint } from './pause-endpoint.ts';
import { presentWebhook, presentWebhooks, settingsOf } from './present-endpoint.ts';
import { removeEndpoint } from './remove-endpoint.ts';

/** Registers the routes that list, add, pause and remove endpoints. */
export function endpointDashboardRoutes(api: TenantApi, services: Services): void {
  const owner = { owner: true };

  api.get(
    '/webhook/endpoints',
    { schema: { response: { 200: Endpoints } } },
    async ({ db, member: { tenantId } }) => {
      const [rows, health] = await Promise.all([
        listWebhooks(db, tenantId),
        findHealth(db, tenantId),
      ]);
      const presented = await presentWebhooks({ db, vault: services.vault }, tenantId, rows);
      const endpoints = presented.map((webhook) => {
        const found = health.get(webhook.id);
        const { waiting = 0, recording = 'all', event, state, created_at } = found ?? {};
        const last =
          event && state && created_at
            ? { event, state, created_at: created_at.toISOString() }
            : null;
        return { ...webhook, waiting, recording, last };
      });
      return success({ data: { endpoints } });
    },
  );

  api.post(
    '/webhook/endpoints',
    { config: owner, schema: { body: AddEndpoint, response: { 200: SavedWebhook } } },
    async ({ member: { tenantId }, body }) => {
      const { webhook, secret } = await addEndpoint(services, tenantId, {
        ...settingsOf(body),
        name: body.name,
      });
      return success({ data: { webhook: await presentWebhook(services, webhook), secret } });
    },
  );

  api.put(
    '/webhook/pause',
    {
      config: owner,
      schema: { querystring: EndpointQuery, body: PauseWebhook, response: { 200: ChangedWebhook } },
    },
    async ({ member: { tenantId }, query, body: { paused } }) => {
      const webhook = await pauseEndpoint(services.db, endpointFrom(tenantId, query), paused);
      if (!webhook) throw notFound();
      return success({ data: { webhook: await presentWebhook(services, webhook) } });
    },
  );

  api.delete(
    '/webhook',
    { config: owner, schema: { querystring: EndpointQuery, response: { 200: Removed } } },
    async ({ member: { tenantId }, query }) => {
      await removeEndpoint(services, endpointFrom(tenantId, query));
      return success({ data: {} });
    },
  );
}
