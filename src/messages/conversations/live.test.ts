import { once } from 'node:events';
import { get } from 'node:http';
import { expect, test } from 'vitest';
import { eventually, testApp } from '../../../test/app.ts';
import { sameOrigin, signIn } from '../../../test/sign-in.ts';

const app = testApp();
const browsers = 50;

/** Every stream has two: for its heartbeat and for its end. */
const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;

const connections = () =>
  new Promise<number>((resolve) =>
    app.app.server.getConnections((_error, count) => resolve(count)),
  );

test('a browser that leaves while its stream is set up leaves nothing behind', async () => {
  const shop = await app.tenant();
  const { cookie } = await signIn(app, shop);
  const { pool } = app.db;
  const open = () =>
    get(`${app.url}/dashboard-api/${shop.slug}/live`, {
      agent: false,
      headers: { ...sameOrigin, cookie },
    }).on('error', () => {});
  const [answer] = await once(open(), 'response');
  expect(answer.statusCode).toBe(200);
  answer.destroy();

  const held = await pool.connect();
  // No stream is set up before its tenant is watched.
  await held.query('begin');
  await held.query('lock table conversation_watches');
  const left = await connections();
  const before = timers();
  const opened = Array.from({ length: browsers }, open);
  const heldUp = browsers - (pool.options.max - 1);
  await eventually(async () => pool.waitingCount === heldUp);
  for (const browser of opened) browser.destroy();
  await eventually(async () => (await connections()) <= left);
  await held.query('rollback');
  held.release();
  await eventually(async () => pool.waitingCount === 0 && pool.idleCount === pool.totalCount);
  expect(timers()).toBeLessThan(before + browsers);
});
