import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { eventsOf, post, sign, testStore, wooHeaders } from '../../../test/features/stores.ts';
import { testApp } from '../../../test/program/app.ts';
import { listen } from '../../platform/listener/listen.ts';
import { loadTls } from '../../platform/tls/load-tls.ts';

const app = testApp();
/** More than the limit of concurrent posts of one store. */
const shops = 100;

test('clients that send their bodies slowly delay neither their own store nor another', async () => {
  const tenant = await app.tenant();
  const slow = await testStore(app, tenant);
  const other = await testStore(app, tenant);
  const drips = await Promise.all(
    Array.from({ length: shops }, async (_each, id) => {
      const body = `{"id":${id + 1},"name":"${'x'.repeat(40)}"}`;
      const { hostname, port } = new URL(app.url);
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write(headOf(slow.webhook_id, body, body.length));
      return { socket, body, response: answerOn(socket) };
    }),
  );
  for (let at = 0; at < 20; at += 5) {
    for (const { socket, body } of drips) socket.write(body.slice(at, at + 5));
    await sleep(2);
  }
  for (const store of [slow, other]) {
    const body = '{"id":1000}';
    expect((await post(app, store, body, wooHeaders('order.created', body))).status).toBe(200);
  }
  expect(await eventsOf(app, slow)).toHaveLength(1);

  for (const { socket, body } of drips) socket.write(body.slice(20));
  const responses = await Promise.all(drips.map(({ response }) => response));
  for (const response of responses) expect(response).toMatch(/^HTTP\/1\.1 200 /);
  for (const { socket } of drips) socket.destroy();
  const { rows } = await app.db.pool.query(
    'select count(*) as count from store_events where store_id = $1',
    [slow.id],
  );
  expect(rows[0].count).toBe(shops + 1);
});

test('a post that is sent endlessly slowly is aborted, and nothing of it is stored', async () => {
  const store = await testStore(app, await app.tenant());
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-slow-sender-'));
  const tls = await loadTls({ dataDir, names: [] });
  const listener = await listen(app.app, {
    host: '127.0.0.1',
    port: 0,
    tls,
    trustedProxies: [],
    slowBodyMs: 300,
  });
  const socket = connectTls({
    host: '127.0.0.1',
    port: listener.port,
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  const response = answerOn(socket);
  socket.write(headOf(store.webhook_id, '{"id":1}', 1_000_000));
  while (!socket.destroyed && socket.writable) {
    socket.write(' ');
    await sleep(10);
  }
  expect(await response).toMatch(/^HTTP\/1\.1 4\d\d .*[\s\S]*took too long/);
  expect(await eventsOf(app, store)).toEqual([]);
  await listener.close();
  await rm(dataDir, { recursive: true });
});

function headOf(webhookId: string, body: string, length: number): string {
  const headers = {
    host: 'parley.example',
    ...wooHeaders('order.created', body),
    'x-wc-webhook-signature': sign(body),
    'content-length': String(length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /api/webhooks/${webhookId} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Reads the first data of a connection, or everything until its end. */
async function answerOn(socket: Socket): Promise<string> {
  socket.on('error', () => {});
  const ended = once(socket, 'close').then(() => ['']);
  const [chunk] = await Promise.race([once(socket, 'data'), ended]);
  return String(chunk);
}
