import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Answer, call, type TestApp, type TestTenant } from '../../test/app.ts';
import { createStore, type NewStore } from './create-store.ts';
import { listStoreEvents } from './event-queries.ts';
import type { StoreRow } from './queries.ts';

export const secret = 'kX9fQ2mLr7TzB4nWv8Yd';

/** The bytes of a payload as its platform sends them, written by hand from its documentation. */
export function fixture(name: string): Buffer {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url));
}

export async function testStore(
  app: TestApp,
  tenant: TestTenant,
  options: Partial<NewStore> = {},
): Promise<StoreRow> {
  const made = { platform: 'woocommerce', name: 'Shop', secret, ...options };
  return (await createStore(app.services, tenant.id, made)).store;
}

export function sign(body: Buffer | string, key = secret): string {
  return createHmac('sha256', key).update(body).digest('base64');
}

let deliveries = 0;

/** The headers of WooCommerce's `class-wc-webhook.php`, signed. */
export function wooHeaders(topic: string, body: Buffer | string, key?: string) {
  const [resource, event] = topic.split('.') as [string, string];
  return {
    'content-type': 'application/json',
    'user-agent': 'WooCommerce/9.9.5 Hookshot (WordPress/6.8.1)',
    'x-wc-webhook-source': 'https://shop.example/',
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-resource': resource,
    'x-wc-webhook-event': event,
    'x-wc-webhook-signature': sign(body, key),
    'x-wc-webhook-id': '3',
    'x-wc-webhook-delivery-id': `delivery${++deliveries}`,
  };
}

/** The headers of Shopify, signed. */
export function shopifyHeaders(topic: string, body: Buffer | string, key?: string) {
  return {
    'content-type': 'application/json',
    'X-Shopify-Topic': topic,
    'X-Shopify-Hmac-Sha256': sign(body, key),
    'X-Shopify-Shop-Domain': 'tea.myshopify.com',
    'X-Shopify-API-Version': '2026-10',
    'X-Shopify-Webhook-Id': `webhook-${++deliveries}`,
    'X-Shopify-Event-Id': `event-${deliveries}`,
    'X-Shopify-Triggered-At': '2026-11-02T09:30:00.123456789Z',
  };
}

export function post(
  app: TestApp,
  store: { webhook_id: string },
  body: Buffer | string,
  headers: Record<string, string>,
): Promise<Answer> {
  return call(app, 'POST', `/api/webhooks/${store.webhook_id}`, body, headers);
}

export function eventsOf(app: TestApp, store: StoreRow) {
  return listStoreEvents(app.db, store.tenant_id, store.id, { limit: 100 });
}
