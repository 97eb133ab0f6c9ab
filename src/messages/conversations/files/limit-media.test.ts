import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { signIn, type TestMember } from '../../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../../test/program/app.ts';

const app = testApp({ PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.2/32' });
let outside: Server;
/** Downloads in progress at the outer server. */
const serving = new Set<ServerResponse>();

beforeAll(async () => {
  outside = createServer((_request, response) => {
    serving.add(response);
    response.once('close', () => serving.delete(response));
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1_000_000 });
    response.write('begins');
  }).listen(0, '127.0.0.2');
  await once(outside, 'listening');
});
afterAll(() => {
  outside.closeAllConnections();
  outside.close();
});

/** Inserts a message whose file never ends, and returns the path of that file. */
async function insertEndless(shop: TestTenant): Promise<string> {
  const { port } = outside.address() as AddressInfo;
  const content = JSON.stringify({ media_url: `http://127.0.0.2:${port}/a.png` });
  const { rows } = await app.db.query<{ id: number }>(sql`
    insert into stored_messages (tenant_id, number_id, direction, phone, kind, content, status)
    values (${shop.id}, ${shop.number.id}, 'out', '+14155550123', 'image', ${content}, 'sent')
    returning id`);
  return `/dashboard-api/${shop.slug}/conversation/media/${rows[0]!.id}`;
}

type Stream = { status: number; disconnect(): void; body(): Promise<{ message: string }> };

async function open(
  path: string,
  { cookie }: TestMember,
  abort = new AbortController(),
): Promise<Stream> {
  const response = await fetch(`${app.url}${path}`, { headers: { cookie }, signal: abort.signal });
  return {
    status: response.status,
    disconnect: () => abort.abort(),
    body: () => response.json() as Promise<{ message: string }>,
  };
}

test('a member loads 16 files at once, a tenant 64, and further ones wait until one is closed', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const members = await Promise.all(Array.from({ length: 5 }, () => signIn(app, shop, 'staff')));
  const [path, foreign] = [await insertEndless(shop), await insertEndless(other)];
  const streams: Stream[] = [];
  const waiting: Promise<Stream>[] = [];
  for (const member of members.slice(0, 4)) {
    for (let each = 0; each < 16; each++) streams.push(await open(path, member));
    waiting.push(open(path, member));
  }
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  waiting.push(open(path, members[4]!));
  const neighbour = await open(foreign, await signIn(app, other));
  expect(neighbour.status).toBe(200);
  expect(serving.size).toBe(65);

  // One of the last member, and one of the first.
  for (const place of [63, 0]) {
    streams[place]!.disconnect();
    const next = await Promise.race(waiting.map((each, index) => each.then(() => index)));
    const [opened] = waiting.splice(next, 1);
    streams.push(await opened!);
    expect(streams.at(-1)!.status).toBe(200);
    await eventually(async () => serving.size === 65);
  }
  const left = Promise.all(waiting);
  for (const stream of [...streams, neighbour]) stream.disconnect();
  for (const stream of await left) stream.disconnect();
  await eventually(async () => serving.size === 0);
});

test('a member for whom 200 files wait is refused more, and files that are no longer wanted are not opened', async () => {
  const shop = await app.tenant();
  const member = await signIn(app, shop, 'staff');
  const path = await insertEndless(shop);
  const streams: Stream[] = [];
  for (let each = 0; each < 16; each++) streams.push(await open(path, member));
  const abort = new AbortController();
  const waiting = Array.from({ length: 201 }, () => open(path, member, abort));
  const refused = await Promise.race(waiting);
  expect(refused.status).toBe(429);
  expect((await refused.body()).message).toMatch(/^You have too many conversation files/);
  abort.abort();
  expect(await Promise.allSettled(waiting)).toHaveLength(201);
  for (const stream of streams) stream.disconnect();
  await eventually(async () => serving.size === 0);
  const last = await open(path, member);
  expect(last.status).toBe(200);
  last.disconnect();
});
