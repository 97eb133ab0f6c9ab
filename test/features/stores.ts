import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { automatedSenderOf } from '../../src/messages/sending/automated/automated-sender-of.ts';
import { listStoreEvents, type StoreEventRow } from '../../src/stores/activity/event-queries.ts';
import { mapTopic } from '../../src/stores/map-topic.ts';
import { startProcessing } from '../../src/stores/processing/start-processing.ts';
import type { StoreRow } from '../../src/stores/queries.ts';
import type { FieldSource, Topic, TopicAction } from '../../src/stores/schema.ts';
import { createStore, type NewStore } from '../../src/stores/setup/create-store.ts';
import { syncTemplates } from '../../src/templates/syncing/sync-templates.ts';
import { eventually } from '../checks/eventually.ts';
import { call, type TestApp, type TestResponse, type TestTenant } from '../program/app.ts';

export const secret = 'kX9fQ2mLr7TzB4nWv8Yd';

/** Reads a payload as its platform sends it, written by hand from its documentation. */
export function fixture(name: string): Buffer {
  return readFileSync(new URL(`../../src/stores/fixtures/${name}`, import.meta.url));
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

/** Creates the headers of WooCommerce's `class-wc-webhook.php`, signed. */
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

/** Creates the headers of Shopify, signed. */
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
): Promise<TestResponse> {
  return call(app, 'POST', `/api/webhooks/${store.webhook_id}`, body, headers);
}

export function eventsOf(app: TestApp, store: StoreRow) {
  return listStoreEvents(app.db, store.tenant_id, store.id, { limit: 100 });
}

/** Whether an event will not be processed any further. */
export function settled(event: StoreEventRow): boolean {
  return event.state !== 'waiting' && event.due_at === null;
}

export async function sendWoo(
  app: TestApp,
  store: StoreRow,
  topic: string,
  body: Buffer | string,
  until: (event: StoreEventRow) => boolean = settled,
): Promise<StoreEventRow> {
  return sendPost(app, store, body, wooHeaders(topic, body), until);
}

export async function sendShopify(
  app: TestApp,
  store: StoreRow,
  topic: string,
  body: Buffer,
): Promise<StoreEventRow> {
  return sendPost(app, store, body, shopifyHeaders(topic, body));
}

export async function sendCustom(
  app: TestApp,
  store: StoreRow,
  topic: string,
  body: string,
): Promise<StoreEventRow> {
  const headers = { 'x-webhook-topic': topic, 'x-webhook-signature': sign(body) };
  return sendPost(app, store, body, { 'content-type': 'application/json', ...headers });
}

/** Changes what is stored about the orders of WooCommerce to the form without the shop, which earlier releases wrote. */
export async function forgetShop(app: TestApp, store: StoreRow): Promise<void> {
  await app.db.pool.query(
    `update store_resources set resource_id = replace(resource_id, 'shop.example ', '')
     where store_id = $1`,
    [store.id],
  );
}

/** Posts, and waits for the result. */
export async function sendPost(
  app: TestApp,
  store: StoreRow,
  body: Buffer | string,
  headers: Record<string, string>,
  until: (event: StoreEventRow) => boolean = settled,
): Promise<StoreEventRow> {
  const before = (await eventsOf(app, store)).length;
  const { status } = await post(app, store, body, headers);
  if (status !== 200) throw new Error(`the response to the post was ${status}`);
  return eventually(async () => {
    const events = await eventsOf(app, store);
    return events.length > before && until(events[0]!) && events[0]!;
  });
}

/** Creates a tenant with a store whose topic sends the simulator's template of three placeholders. */
export async function shopWithTemplate(
  app: TestApp,
  topic: Topic,
  {
    name = 'order_update',
    fields = orderFields,
    only_if,
    platform = 'woocommerce',
  }: Partial<NonNullable<TopicAction['template']>> & { platform?: string } = {},
): Promise<{ shop: TestTenant; store: StoreRow }> {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  const store = await testStore(app, shop, { platform });
  await mapTopic(app.db, shop.id, store.id, topic, {
    contact: { mode: 'upsert' },
    template: { name, language: 'en', fields, ...(only_if ? { only_if } : {}) },
  });
  return { shop, store };
}

export const orderFields: FieldSource[] = [
  { path: 'billing.first_name', format: 'first_word', default: 'friend' },
  { path: 'total', format: 'money' },
  { path: 'date_created', format: 'date' },
];

export async function contactsOf(shop: TestTenant) {
  return (await shop.call('GET', '/contacts')).body.data;
}

/**
 * Processes store posts as the workers of a service do, and finds retries sooner.
 *
 * @returns stops it
 */
export function processPosts(app: TestApp): () => Promise<void> {
  const sender = automatedSenderOf(app.services);
  return startProcessing({ ...app.services, sender, lookEveryMs: 50 });
}
