import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { signIn, type TestMember } from '../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';

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

async function open(path: string, { cookie }: TestMember): Promise<Stream> {
  const abort = new AbortController();
  const response = await fetch(`${app.url}${path}`, { headers: { cookie }, signal: abort.signal });
  return {
    status: response.status,
    disconnect: () => abort.abort(),
    body: () => response.json() as Promise<{ message: string }>,
  };
}

test('open files are limited per member and per tenant, and closing one makes room', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const members = await Promise.all(Array.from({ length: 5 }, () => signIn(app, shop, 'staff')));
  const [path, foreign] = [await insertEndless(shop), await insertEndless(other)];
  const streams: Stream[] = [];
  for (const member of members.slice(0, 4)) {
    for (let each = 0; each < 16; each++) streams.push(await open(path, member));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const surplus = await open(path, member);
    expect(surplus.status).toBe(429);
    expect((await surplus.body()).message).toMatch(/^You have too many conversation files/);
  }
  const surplus = await open(path, members[4]!);
  expect(surplus.status).toBe(429);
  expect((await surplus.body()).message).toMatch(/^This tenant has too many conversation files/);
  const neighbour = await open(foreign, await signIn(app, other));
  expect(neighbour.status).toBe(200);

  streams[0]!.disconnect();
  streams.push(
    await eventually(async () => {
      const stream = await open(path, members[4]!);
      return stream.status === 200 && stream;
    }),
  );
  for (const stream of [...streams, neighbour]) stream.disconnect();
  await eventually(async () => serving.size === 0);
});
