import fastify from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../../test/database/locks.ts';
import { postCallback } from '../../../test/features/post-callback.ts';
import { signIn, type TestMember } from '../../../test/features/sign-in.ts';
import { type TestResponse, type TestTenant, testApp } from '../../../test/program/app.ts';
import { createContactIfAbsent } from '../../contacts/writing/upsert-contact.ts';
import { sendError } from '../../platform/errors/send-error.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';
import type { Caller } from './find-caller.ts';
import { createConcurrencyLimit, createWritePermits } from './limit-concurrency.ts';

const app = testApp();
const lockTenant = 'select from tenants where id = $1 for no key update';

const countByStatus = (answers: TestResponse[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, of]) => [status, of.length]),
  );

test.each([
  ['without a key', () => ({})],
  ['with a key each', (n: number) => ({ 'idempotency-key': `group-${n}` })],
])(
  'writes of one tenant that wait for each other leave connections for others, %s',
  async (_how, headers) => {
    const shop = await app.tenant({ number: false });
    const neighbour = await app.tenant({ number: false });
    const holder = await holdLocks(app, lockTenant, [shop.id]);
    const writes = Array.from({ length: 60 }, (_, n) =>
      shop.call('POST', '/groups', { name: `Group ${n}` }, headers(n)),
    );
    // Three of the ten connections of the pool. Requests that wait in the process hold none.
    expect(await lockWaiters(app, { count: 3 })).toHaveLength(3);
    expect((await neighbour.call('POST', '/groups', { name: 'Regulars' })).status).toBe(200);
    expect((await neighbour.call('GET', '/groups')).body.data).toHaveLength(1);
    expect(await lockWaiters(app, { count: 3 })).toHaveLength(3);
    await eventually(async () => app.db.pool.waitingCount === 0);

    await holder.query('rollback');
    expect(countByStatus(await Promise.all(writes))).toEqual({ 200: 60 });
    expect((await shop.call('GET', '/groups')).body.data).toHaveLength(60);
  },
);

test('changes of one contact that wait for each other leave connections for others', async () => {
  const shop = await app.tenant({ number: false });
  const neighbour = await app.tenant({ number: false });
  const made = await shop.call('POST', '/contacts', { firstname: 'Ann', phone: '+14155550123' });
  const { id } = made.body.data;
  const holder = await holdLocks(app, 'select from contacts where id = $1 for update', [id]);
  const writes = Array.from({ length: 30 }, (_, n) =>
    shop.call('PUT', `/contacts/${id}`, { city: `City ${n}` }),
  );
  expect(await lockWaiters(app, { count: 3 })).toHaveLength(3);
  expect((await neighbour.call('POST', '/groups', { name: 'Regulars' })).status).toBe(200);
  await holder.query('rollback');
  expect(countByStatus(await Promise.all(writes))).toEqual({ 200: 30 });
});

test('callbacks of a tenant share the connections of its other writes', async () => {
  const shop = await app.tenant();
  const neighbour = await app.tenant({ number: false });
  const holder = await holdLocks(app, lockTenant, [shop.id]);
  await holder.query('select from numbers where tenant_id = $1 for update', [shop.id]);
  // Each failed because of the number, which is stored at the number.
  const failed = {
    id: 'wamid.unknown',
    status: 'failed',
    timestamp: String(Math.floor(Date.now() / 1000)),
    recipient_id: '14155550123',
    errors: [{ code: 131042, title: 'Business eligibility payment issue' }],
  };
  const callbacks = Array.from({ length: 3 }, () =>
    postCallback(app, shop, { statuses: [failed] }),
  );
  expect(await lockWaiters(app, { count: 3 })).toHaveLength(3);
  const writes = Array.from({ length: 3 }, (_, n) =>
    shop.call('POST', '/groups', { name: `Group ${n}` }),
  );
  expect((await neighbour.call('POST', '/groups', { name: 'Regulars' })).status).toBe(200);
  expect(await lockWaiters(app, { count: 3 })).toHaveLength(3);
  await holder.query('rollback');
  expect(countByStatus(await Promise.all([...callbacks, ...writes]))).toEqual({ 200: 6 });
});

test('creates of contacts without a key are batched, and do not wait for other writes of the tenant', async () => {
  const shop = await app.tenant({ number: false });
  const holder = await holdLocks(app, lockTenant, [shop.id]);
  const writes = Array.from({ length: 10 }, (_, n) =>
    shop.call('POST', '/groups', { name: `Group ${n}` }),
  );
  await lockWaiters(app, { count: 3 });
  const created = await shop.call('POST', '/contacts', { firstname: 'Ann', phone: '+14155550123' });
  expect(created.status).toBe(200);
  await holder.query('rollback');
  expect(countByStatus(await Promise.all(writes))).toEqual({ 200: 10 });
});

test('sends that create one contact and wait for each other leave connections for others', async () => {
  const shop = await app.tenant();
  const neighbour = await app.tenant({ number: false });
  await syncTemplates(app.services, shop.id);
  const phone = '+14155550123';
  // Another transaction has created the contact and not committed yet.
  const holder = await holdLocks(app, 'select 1');
  await createContactIfAbsent(holder, shop.id, { phone });
  const sends = Array.from({ length: 20 }, () =>
    shop.call('POST', '/messages/template', {
      phone_number: phone,
      template_name: 'order_update',
      template_language: 'en',
      field_1: 'Amina',
      field_2: '#7',
      field_3: 'Friday',
      contact: { firstname: 'Amina' },
    }),
  );
  expect(await lockWaiters(app, { count: 3 })).toHaveLength(3);
  expect((await neighbour.call('POST', '/groups', { name: 'Regulars' })).status).toBe(200);
  await holder.query('rollback');
  expect(countByStatus(await Promise.all(sends))).toEqual({ 200: 20 });
});

test('waiting requests of one tenant beyond the limit are refused with Retry-After', async () => {
  const limited = fastify({ loggerInstance: app.services.log });
  const config = { databaseConnections: 2 };
  const limitConcurrency = createConcurrencyLimit(config, createWritePermits(config), 3);
  const held = Promise.withResolvers<void>();
  limited.setErrorHandler(sendError);
  limited.addHook('onRequest', async (request) => {
    request.caller = { tenantId: Number(request.headers.tenant) } as Caller;
  });
  limited.addHook('onRoute', (route) => {
    route.handler = limitConcurrency(route);
  });
  limited.post('/', async ({ caller }) => {
    if (caller.tenantId === 1) await held.promise;
    return { success: true };
  });
  const write = (tenant: string) =>
    limited.inject({ method: 'POST', url: '/', headers: { tenant } });

  const writes = Array.from({ length: 6 }, () => write('1'));
  const refused = await Promise.race(writes);
  expect([refused.statusCode, refused.headers['retry-after'], refused.json().message]).toEqual([
    429,
    '1',
    'More than 3 requests of this tenant are already waiting. Send fewer at once.',
  ]);
  expect((await write('2')).statusCode).toBe(200);
  held.resolve();
  const statuses = (await Promise.all(writes)).map(({ statusCode }) => statusCode);
  // One was running, and three waited.
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 429, 429]);
});

describe('the dashboard of one tenant', () => {
  let shop: TestTenant;
  let neighbour: TestTenant;
  let owner: TestMember;
  beforeAll(async () => {
    [shop, neighbour] = [await app.tenant(), await app.tenant({ number: false })];
    owner = await signIn(app, shop);
  });

  test.each([
    ['/overview', 'message_outcomes'],
    ['/usage', 'token_usage'],
    ['/requests', 'api_requests'],
    ['/webhook/deliveries', 'deliveries'],
    ['/conversation?phone=%2B14155550123', 'messages'],
    ['/conversations', 'messages'],
    ['/contacts/filtered?page=1&per_page=25', 'contacts'],
    ['/stores', 'stores'],
    ['/template-overview', 'template_syncs'],
    ['/bots', 'bots'],
    ['/bots/answers', 'bot_answers'],
    ['/groups', 'groups'],
  ])('runs only a few reads of %s at once', async (path, table) => {
    const holder = await holdLocks(app, `lock table ${table} in access exclusive mode`);
    const reads = Array.from({ length: 20 }, () => owner.call('GET', path));
    const { length: waiting } = await lockWaiters(app, { count: 3 });
    expect((await neighbour.call('GET', '/sources')).status).toBe(200);
    // A request may run two statements at once.
    expect(waiting).toBeLessThanOrEqual(6);
    await eventually(async () => app.db.pool.waitingCount === 0);
    await holder.query('rollback');
    expect(countByStatus(await Promise.all(reads))).toEqual({ 200: 20 });
  });
});
