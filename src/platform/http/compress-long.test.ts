import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { insertContacts } from '../../../test/features/insert-contacts.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import { testApp } from '../../../test/program/app.ts';

const app = testApp();

test('long lists of the API are compressed as the client accepts it, and nothing else is', async () => {
  const shop = await app.tenant({ number: false });
  const member = await signIn(app, shop);
  await insertContacts(
    app.db,
    'tenant_id, firstname, phone',
    sql`select ${shop.id}::bigint, 'Ada', '+' || 14155550100 + n from generate_series(1, 60) n`,
  );

  async function ask(path: string, accepted: string, init: { method?: string; cookie?: string }) {
    const { method = 'GET', cookie } = init;
    const response = await app.app.inject({
      method: method as 'GET',
      url: path,
      headers: {
        'accept-encoding': accepted,
        ...(cookie ? { cookie } : { authorization: `Bearer ${shop.token}` }),
      },
    });
    const { headers, rawPayload: bytes } = response;
    return { coding: headers['content-encoding'], length: headers['content-length'], bytes };
  }
  const list = `/api/${shop.slug}/contacts?per_page=60`;

  const plain = await ask(list, '', {});
  expect(plain.coding).toBeUndefined();
  const unpackers = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const [accepted, coding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
  ] as const) {
    const packed = await ask(list, accepted, {});
    expect(packed.coding, accepted).toBe(coding);
    expect(Number(packed.length)).toBe(packed.bytes.length);
    expect(packed.bytes.length * 3).toBeLessThan(plain.bytes.length);
    expect(unpackers[coding](packed.bytes).equals(plain.bytes)).toBe(true);
  }
  for (const accepted of ['identity', 'deflate', 'br;q=0', '*;q=0']) {
    expect((await ask(list, accepted, {})).coding, accepted).toBeUndefined();
  }
  expect((await ask(`/api/${shop.slug}/contacts?per_page=1`, 'br', {})).coding).toBeUndefined();
  // A browser attaches the dashboard's cookie to requests of other sites too.
  const { cookie } = member;
  const own = `/dashboard-api/${shop.slug}/contacts?per_page=60`;
  expect((await ask(own, 'br', { cookie })).coding).toBeUndefined();
  const head = await ask(list, 'br', { method: 'HEAD' });
  expect([head.coding, head.bytes.length]).toEqual([undefined, 0]);
});
