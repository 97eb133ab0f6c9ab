import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestTenant, testApp } from '../../../../test/program/app.ts';
import { createMediaCheckLimit } from './limit-media-checks.ts';

const app = testApp();
let files: Server;
let url: string;
/** Requests for `/slow` that wait for their responses. */
const held: ServerResponse[] = [];
let isReleased = false;

beforeAll(async () => {
  files = createServer((request, response) => {
    if (request.url!.startsWith('/slow') && !isReleased) held.push(response);
    else respond(response);
  });
  await once(files.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
});
afterAll(() => {
  files.closeAllConnections();
  files.close();
});

function respond(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'image/png' }).end('picture');
}

let phones = 0;
const send = (shop: TestTenant, path: string) =>
  shop.call('POST', '/messages/media', {
    phone_number: `+1415555${1000 + phones++}`,
    type: 'image',
    media_url: `${url}${path}`,
  });

test('slow files of one tenant hold few connections, and do not delay other tenants', async () => {
  const [busy, neighbour] = [await app.tenant({ plan: 'enterprise' }), await app.tenant()];
  const sends = Array.from({ length: 50 }, (_, n) => send(busy, `/slow?${n}`));
  await expect.poll(() => held.length).toBe(10);
  for (let n = 0; n < 5; n++) expect((await send(neighbour, `/quick?${n}`)).status).toBe(200);
  // Nor does the same address delay another tenant.
  const same = send(neighbour, '/slow?49');
  await expect.poll(() => held.length).toBe(11);

  isReleased = true;
  for (const response of held) respond(response);
  const statuses = (await Promise.all([...sends, same])).map(({ status }) => status);
  expect(statuses).toEqual(Array(51).fill(200));
});

const refusal = {
  status: 429,
  headers: { 'retry-after': 10 },
  message: expect.stringMatching(/^Too many files of this tenant are being fetched/),
};

test('a check is refused if too many checks of its tenant wait', async () => {
  const limit = createMediaCheckLimit({ maxAtOnce: 1, maxWaiting: 1, maxWaitMs: 60_000 });
  const first = Promise.withResolvers<string>();
  const running = limit(1, () => first.promise);
  const waiting = limit(1, async () => 'second');
  await expect(limit(1, async () => 'third')).rejects.toMatchObject(refusal);
  expect(await limit(2, async () => 'of another tenant')).toBe('of another tenant');
  first.resolve('first');
  expect(await Promise.all([running, waiting])).toEqual(['first', 'second']);
  expect(await limit(1, async () => 'fourth')).toBe('fourth');
});

test('a check that has waited for too long is refused, and does not run later', async () => {
  const limit = createMediaCheckLimit({ maxAtOnce: 1, maxWaiting: 9, maxWaitMs: 20 });
  const first = Promise.withResolvers<string>();
  const running = limit(1, () => first.promise);
  let runs = 0;
  await expect(limit(1, async () => runs++)).rejects.toMatchObject(refusal);
  first.resolve('first');
  expect(await running).toBe('first');
  expect(await limit(1, async () => 'next')).toBe('next');
  expect(runs).toBe(0);
});
