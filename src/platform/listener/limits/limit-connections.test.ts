import { once } from 'node:events';
import type { Socket } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { readAll, testListener } from '../../../../test/servers/listener.ts';
import { createMetrics } from '../../metrics.ts';

const listener = testListener((app) => {
  app.get('/hello', () => ({ hello: 'world' }));
});
const warnings: string[] = [];
const log = { warn: (text: string) => warnings.push(text) };
let metrics: ReturnType<typeof createMetrics>;

beforeEach(() => {
  warnings.length = 0;
  metrics = createMetrics();
});

const open = (total: number, perAddress: number, trustedProxies: string[] = []) =>
  listener.open({ limits: { total, perAddress }, trustedProxies, log, metrics });

/** Whether a new connection is served. It is closed afterwards. */
async function isServed(localAddress = '127.0.0.1'): Promise<boolean> {
  const socket = await listener.secure(localAddress).catch(() => undefined);
  if (!socket) return false;
  socket.write('GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return /^HTTP\/1\.1 200 /.test(await readAll(socket));
}

const openCount = async () => (await metrics.connections.get()).values[0]?.value ?? 0;

/** Connections of every kind that a client can hold. */
async function hold(): Promise<Socket[]> {
  const silent = await listener.plain();
  const halfHandshake = await listener.plain();
  halfHandshake.write(Buffer.from([0x16, 0x03, 0x01]));
  const idle = await listener.secure();
  const used = await listener.secure();
  used.write('GET /hello HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(used, 'data');
  const halfRequest = await listener.plain();
  halfRequest.write('GET /hello HTTP/1.1\r\n');
  return [silent, halfHandshake, idle, used, halfRequest];
}

test('connections beyond the total are refused, in whatever state the others are, and served after those end', async () => {
  await open(5, 100);
  for (const end of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const held = await hold();
    await expect.poll(openCount).toBe(5);
    expect(await isServed()).toBe(false);
    expect(await isServed('127.0.0.2')).toBe(false);
    for (const socket of held) {
      socket.on('error', () => {}).resume();
      // Only the other half of the handshake is waited for, and a reset is sent below TLS.
      if (socket === held[1]) socket.resetAndDestroy();
      else socket[end === 'resetAndDestroy' && 'encrypted' in socket ? 'destroy' : end]();
    }
    await expect.poll(openCount).toBe(0);
    expect(await isServed()).toBe(true);
    await expect.poll(openCount).toBe(0);
  }
});

test('connections of one address beyond its limit are refused; those of other addresses are served', async () => {
  await open(100, 5);
  const held = await hold();
  expect(await isServed()).toBe(false);
  expect(await isServed('127.0.0.2')).toBe(true);
  held[0]!.destroy();
  await expect.poll(() => isServed()).toBe(true);
  for (const socket of held) socket.destroy();
});

test('a trusted proxy may have more connections than any other address, but not more than all', async () => {
  await open(7, 2, ['127.0.0.1']);
  const held = await hold();
  expect(await isServed()).toBe(true);
  held.push(await listener.secure(), await listener.secure());
  expect(await isServed()).toBe(false);
  for (const socket of held) socket.destroy();
});

test('a flood of refused connections writes one log line, and each is counted', async () => {
  await open(100, 1);
  const first = await listener.plain();
  for (let count = 0; count < 50; count++) {
    const socket = await listener.plain();
    await readAll(socket);
  }
  expect(warnings).toEqual([
    'Connections refused: 1. The first one because 1 of 127.0.0.1 are open (PARLEY_MAX_CONNECTIONS_PER_ADDRESS).',
  ]);
  const { values } = await metrics.refusedConnections.get();
  expect(values.filter(({ value }) => value > 0)).toMatchObject([
    { labels: { limit: 'address' }, value: 50 },
  ]);
  first.destroy();
});
