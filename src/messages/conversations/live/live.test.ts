import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { postCallback } from '../../../../test/features/post-callback.ts';
import { sameOrigin, signIn } from '../../../../test/features/sign-in.ts';
import { testApp } from '../../../../test/program/app.ts';

const app = testApp();
const browsers = 20;

/** Every stream has two timers: for its heartbeat and for its end. */
const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;

const connections = () =>
  new Promise<number>((resolve) =>
    app.app.server.getConnections((_error, count) => resolve(count)),
  );

test('a browser that disconnects while its stream is set up leaves no timers behind', async () => {
  const shop = await app.tenant();
  const { cookie } = await signIn(app, shop);
  const { pool } = app.db;
  const open = () =>
    get(`${app.url}/dashboard-api/${shop.slug}/live`, {
      agent: false,
      headers: { ...sameOrigin, cookie },
    }).on('error', () => {});
  const [response] = await once(open(), 'response');
  expect(response.statusCode).toBe(200);
  response.destroy();

  const held = await pool.connect();
  // A stream is set up only after the watch of its tenant is stored.
  await held.query('begin');
  await held.query('lock table conversation_watches');
  const connectionsBefore = await connections();
  const timersBefore = timers();
  const opened = Array.from({ length: browsers }, open);
  const blocked = browsers - (pool.options.max - 1);
  await eventually(async () => pool.waitingCount === blocked);
  for (const browser of opened) browser.destroy();
  await eventually(async () => (await connections()) <= connectionsBefore);
  await held.query('rollback');
  held.release();
  await eventually(async () => pool.waitingCount === 0 && pool.idleCount === pool.totalCount);
  expect(timers()).toBeLessThan(timersBefore + browsers);
});

test('a browser that has stopped reading is disconnected at the end of its stream', async () => {
  const shop = await app.tenant();
  const { cookie } = await signIn(app, shop);
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  process.on('uncaughtException', onFailure);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    process.off('uncaughtException', onFailure);
  });
  const { hostname, port } = new URL(app.url);
  const browser = connect(Number(port), hostname).pause();
  const requestPath = (path: string) =>
    browser.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\n\r\n`);
  browser.cork();
  // The first responses fill the connection, so that nothing of the stream is sent.
  for (let files = 0; files < 20; files++) requestPath('/docs/swagger-ui-bundle.js');
  requestPath(`/dashboard-api/${shop.slug}/live`);
  browser.uncork();

  const watched = 'select from conversation_watches where tenant_id = $1';
  while ((await app.db.pool.query(watched, [shop.id])).rowCount === 0) await setImmediate();
  await setImmediate();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(failures).toEqual([]);
  browser.destroy();
});

test('a browser that does not read its stream is disconnected before much of it is held in memory', async () => {
  const shop = await app.tenant();
  const { cookie } = await signIn(app, shop);
  const connectionsBefore = await connections();
  const request = get(`${app.url}/dashboard-api/${shop.slug}/live`, {
    agent: false,
    headers: { ...sameOrigin, cookie },
  }).on('error', () => {});
  const [response] = await once(request, 'response');
  response.on('error', () => {});
  onTestFinished(() => void request.destroy());

  for (let first = 0; first < 120; first += 30) {
    const messages = Array.from({ length: 30 }, (_, n) => ({
      from: `${14155550100 + first + n}`,
      id: `wamid.long${first + n}`,
      timestamp: '1790000000',
      type: 'text',
      text: { body: 'x'.repeat(120_000) },
    }));
    expect((await postCallback(app, shop, { messages })).status).toBe(200);
  }
  await eventually(async () => (await connections()) <= connectionsBefore);
});

test('streams are limited per person, and colleagues keep theirs', async () => {
  const shop = await app.tenant({ number: false });
  const [owner, colleague] = [await signIn(app, shop), await signIn(app, shop, 'staff')];
  const open = async ({ cookie }: { cookie: string }) => {
    const request = get(`${app.url}/dashboard-api/${shop.slug}/live`, {
      agent: false,
      headers: { ...sameOrigin, cookie },
    }).on('error', () => {});
    const [response] = await once(request, 'response');
    onTestFinished(() => void request.destroy());
    return { status: response.statusCode, close: () => request.destroy() };
  };
  const opened = await Promise.all(Array.from({ length: 30 }, () => open(owner)));
  const statuses = opened.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(20).fill(200), ...Array(10).fill(429)]);
  expect((await open(colleague)).status).toBe(200);
  opened.find(({ status }) => status === 200)?.close();
  await eventually(async () => (await open(owner)).status === 200);
});
