import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { createTestDatabase } from '../../../test/database/database.ts';
import { holdOutcomes } from '../../../test/database/hold-outcomes.ts';
import { holdLocks, lockWaiters } from '../../../test/database/locks.ts';
import { recordStatements } from '../../../test/database/record-statements.ts';
import { openTestApp, type TestApp, type TestTenant } from '../../../test/program/app.ts';
import { misbehave } from '../../../test/servers/control.ts';
import { onThePhone } from '../../../test/servers/phone.ts';
import { startTcpProxy, type TcpProxy } from '../../../test/servers/tcp-proxy.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';

const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
const app = {} as TestApp;
let proxy: TcpProxy;
let server: { path: string };
let close = async () => {};

beforeAll(async () => {
  const direct = await createTestDatabase();
  const { host, port } = direct.connection;
  server = { path: join(host!, `.s.PGSQL.${port}`) };
  proxy = await startTcpProxy(server);
  const db = openDatabase(
    { ...direct.connection, host: '127.0.0.1', port: proxy.port },
    { onError: () => {} },
  );
  const drop = async () => {
    await db.close();
    proxy.close();
    await direct.drop();
  };
  close = await openTestApp(app, {
    database: { ...direct, db, statements: recordStatements(db), drop },
  });
});
afterAll(() => close());

/** Loses the responses to what the app's connections are doing, lets the server go on, and then cuts them. */
async function loseResponses(goOn: () => Promise<unknown>, isDone: () => Promise<unknown>) {
  proxy.loseOpen();
  await goOn();
  await isDone();
  proxy.passTo(server);
}

/** Asks the server itself, not through the proxy. */
async function ask<Row>(statement: string, { id }: TestTenant): Promise<Row[]> {
  const client = new pg.Client(app.connection);
  await client.connect();
  try {
    return (await client.query(statement, [id])).rows;
  } finally {
    await client.end();
  }
}

const sendsOf = (shop: TestTenant) =>
  ask<{ status: string }>(
    'select status from stored_messages where tenant_id = $1 order by id',
    shop,
  );
const usedOf = (shop: TestTenant) =>
  ask<{ messages: number }>('select messages from token_days where tenant_id = $1', shop);
const keyed = { 'idempotency-key': 'order-1' };

test('a send that was stored, but not called because the connection was lost, is sent by a retry', async () => {
  const shop = await app.tenant();
  await shop.call('POST', '/messages/send', text);
  const days = await holdLocks(
    app,
    `select from token_days where tenant_id = ${shop.id} for update`,
  );
  const sent = shop.call('POST', '/messages/send', text, keyed);
  await lockWaiters(app, { lock: 'transactionid' });
  await loseResponses(
    () => days.query('commit'),
    () => eventually(async () => (await sendsOf(shop)).length === 2),
  );
  expect((await sent).body.code).toBe('no_connection');
  expect(await onThePhone(app, shop)).toHaveLength(1);
  // The attempt that lost its connection may still be under way until its lease has expired.
  await app.moveClock(15_000);
  const retried = await eventually(async () => {
    const response = await shop.call('POST', '/messages/send', text, keyed);
    return response.status === 200 && response;
  });
  expect(retried.headers['idempotency-replayed']).toBeUndefined();
  expect(await onThePhone(app, shop)).toHaveLength(2);
  expect((await sendsOf(shop))[1]).toEqual({ status: 'failed' });
  expect(await usedOf(shop)).toEqual([{ messages: 2 }]);
});

test('a refusal whose storing lost its connection is stored and refunded once', async () => {
  const shop = await app.tenant();
  await misbehave(app, shop, { failWith: 131026, failAs: 'answer' });
  const outcomes = await holdOutcomes(app, shop);
  const sent = shop.call('POST', '/messages/send', text, keyed);
  await lockWaiters(app, { like: '%completed as (%', lock: 'advisory' });
  await loseResponses(
    () => outcomes.query('commit'),
    () => eventually(async () => (await usedOf(shop))[0]?.messages === 0),
  );
  expect((await sent).status).toBe(422);
  expect(await sendsOf(shop)).toEqual([{ status: 'failed' }]);
  expect(await usedOf(shop)).toEqual([{ messages: 0 }]);
});

test('an accepted template with a contact keeps its outcome and its one-time password', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  const outcomes = await holdOutcomes(app, shop);
  const sent = shop.call('POST', '/messages/template', {
    phone_number: '+14155550123',
    template_name: 'login_code',
    template_language: 'en_US',
    auto_generate_otp: true,
    contact: { firstname: 'Ada' },
  });
  const [waiting] = await lockWaiters(app, { like: '%completed as (%', lock: 'advisory' });
  await app.db.pool.query('select pg_terminate_backend($1)', [waiting]);
  await outcomes.query('commit');
  expect(await sent).toMatchObject({
    status: 200,
    body: { data: { otp: expect.stringMatching(/^\d{6}$/) } },
  });
});
