import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { insertContacts } from '../../../test/features/insert-contacts.ts';
import { sameOrigin, signIn } from '../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';

const app = testApp();

/** 100 contacts with the longest metadata are a response of 8 MB. */
async function shopWithLongList(contacts: number): Promise<TestTenant> {
  const shop = await app.tenant({ number: false });
  await insertContacts(
    app.db,
    'tenant_id, firstname, phone, metadata, created_at, updated_at',
    sql`
      select ${shop.id}, 'Ana', '+4915' || 100000000 + n,
             (select jsonb_object_agg('key_' || k, repeat('漢', 500)) from generate_series(1, 50) as k),
             now(), now()
      from generate_series(1, ${contacts}) as n`,
  );
  return shop;
}

async function ask(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const [response] = await once(get(`${app.url}${path}`, { agent: false, headers }), 'response');
  return response.on('error', () => {});
}

test('a tenant whose clients leave long responses unread gets no more of them until they have gone', async () => {
  const shop = await shopWithLongList(100);
  const { cookie } = await signIn(app, shop);
  const asked = [
    () => ask(`/api/${shop.slug}/contacts?per_page=100`, { authorization: `Bearer ${shop.token}` }),
    () => ask(`/dashboard-api/${shop.slug}/contacts?per_page=100`, { ...sameOrigin, cookie }),
  ];
  const unread: IncomingMessage[] = [];
  for (let count = 0; count < 4; count++) unread.push(await asked[count % 2]!());
  expect(unread.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);

  const long = '/contacts?per_page=100';
  const refused = await shop.call('GET', long);
  expect([refused.status, refused.headers['retry-after'], refused.body.message]).toEqual([
    429,
    '5',
    'Too many long responses to your earlier requests have not been read yet. Read them, or close their connections.',
  ]);
  expect((await asked[1]!()).statusCode).toBe(429);
  expect((await shop.call('GET', '/statuses')).status).toBe(200);
  const other = await shopWithLongList(1);
  expect((await other.call('GET', long)).status).toBe(200);

  for (const response of unread) response.destroy();
  await eventually(async () => (await asked[0]!()).statusCode === 200);
});
