import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import { createNumberFinder } from '../../src/numbers/find-number.ts';
import { listNumbers } from '../../src/numbers/queries.ts';
import { startDelivering } from '../../src/webhooks/delivering/start-delivering.ts';
import { eventually } from '../checks/eventually.ts';
import { openSession, sameOrigin } from '../features/sign-in.ts';
import { fixture, wooHeaders } from '../features/stores.ts';
import { call, type TestApp } from '../program/app.ts';
import { control } from '../servers/control.ts';
import { startReceiver } from '../servers/receiver.ts';
import { type Access, ada, bot, retried, status } from './fill-installation.ts';

/** Reads and uses everything that `fillInstallation` left, and fails if something is missing or unreadable. */
export async function readEverything(app: TestApp, access: Access): Promise<void> {
  await readContacts(app, access);
  await readMessages(app, access);
  await readDashboard(app, access);
  await signInAgain(app, access);
  await deliver(app, access);
  await receiveOrder(app, access);
}

async function byToken(
  app: TestApp,
  { slug, token }: Access,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const authorization = `Bearer ${token}`;
  const response = await call(app, method, `/api/${slug}${path}`, body, {
    authorization,
    ...headers,
  });
  expect(response.status, `${method} ${path}`).toBe(200);
  return response.body.data;
}

async function byMember(
  app: TestApp,
  { slug, cookie }: Access,
  method: string,
  path: string,
  body?: unknown,
) {
  const headers = { ...sameOrigin, cookie };
  const response = await call(app, method, `/dashboard-api/${slug}${path}`, body, headers);
  expect(response.status, `${method} ${path}`).toBe(200);
  return response.body.data;
}

async function readContacts(app: TestApp, access: Access) {
  const [found] = await byToken(app, access, 'GET', '/contacts?search=lovel');
  const [known] = await byToken(app, access, 'GET', '/statuses');
  expect(known).toMatchObject(status);
  expect(found).toMatchObject({ ...ada, status_id: known.id });
  const { status: refused, body } = await call(app, 'POST', `/api/${access.slug}/contacts`, ada, {
    authorization: `Bearer ${access.token}`,
  });
  expect(refused, 'the phone is taken').toBe(422);
  expect(body.data).toEqual({ id: found.id });
}

async function readMessages(app: TestApp, access: Access) {
  const found = await byToken(app, access, 'GET', `/messages/${access.messageId}`);
  expect(found.status).toBe('delivered');
  const again = await byToken(app, access, 'POST', '/messages/send', retried.body, retried.headers);
  expect(again.message_id).toBe(access.messageId);

  const { id } = (await app.db.pool.query('select id from tenants where slug = $1', [access.slug]))
    .rows[0];
  const [row] = await listNumbers(app.db, id);
  const number = createNumberFinder(app.services).open(row!)!;
  await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: number.phoneNumberId,
    business_account_id: number.businessAccountId,
    access_token: number.accessToken,
    app_secret: number.appSecret,
  });
  const message = { type: 'text', phone_number: ada.phone, message: 'Welcome to the new version.' };
  const sent = await byToken(app, access, 'POST', '/messages/send', message);
  expect(sent.message_id).not.toBe(access.messageId);
}

/** Opens the pages. Each shows at least one row. */
async function readDashboard(app: TestApp, access: Access) {
  const lists = [
    '/bots',
    '/bots/answers',
    '/contacts/bulk',
    '/contacts/filtered',
    '/contacts/imports',
    '/conversations',
    '/members',
    '/numbers',
    '/stores',
    `/stores/${access.storeId}`,
    `/stores/${access.storeId}/events`,
    '/templates',
    '/usage',
    '/webhook/deliveries',
    '/api-settings',
    '/overview',
  ];
  for (const path of lists) {
    const data = await byMember(app, access, 'GET', path);
    const shown = Array.isArray(data) ? data : Object.values(data).flat();
    expect(shown, path).not.toEqual([]);
  }
  const tried = await byMember(app, access, 'POST', '/bots/try', {
    text: 'hours?',
    is_first: false,
  });
  expect(tried).toMatchObject({ answer: { text: bot.reply } });
}

async function signInAgain(app: TestApp, { email, password, slug }: Access) {
  const cookie = await openSession(app, email, password);
  const { data } = (await call(app, 'GET', '/auth/session', undefined, { cookie })).body;
  expect(data).toMatchObject({ email, tenants: [{ slug, role: 'owner' }] });
}

/** The webhook keeps its secret, and delivers old and new events. */
async function deliver(app: TestApp, access: Access) {
  const receiver = await startReceiver();
  const stop = startDelivering(app.services);
  try {
    const { event_types: events } = await byMember(app, access, 'GET', '/webhook');
    await byMember(app, access, 'PUT', '/webhook', { on: true, url: receiver.url, events });
    await byMember(app, access, 'POST', '/webhook/test');
    const { raw, headers } = await eventually(async () => receiver.received[0]);
    new Webhook(access.webhookSecret).verify(raw, headers as Record<string, string>);
  } finally {
    await stop();
    await receiver.close();
  }
}

/** The store keeps its address and its secret. */
async function receiveOrder(app: TestApp, access: Access) {
  const { store } = await byMember(app, access, 'GET', `/stores/${access.storeId}`);
  const body = fixture('woocommerce-order.json');
  const path = new URL(store.url).pathname;
  const posted = await call(app, 'POST', path, body, wooHeaders('order.updated', body));
  expect(posted.status).toBe(200);
}
