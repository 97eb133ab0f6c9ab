import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../../test/database/locks.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import {
  eventsOf,
  fixture,
  post,
  secret,
  shopifyHeaders,
  sign,
  testStore,
  wooHeaders,
} from '../../../test/features/stores.ts';
import { call, testApp } from '../../../test/program/app.ts';
import { platformNames, platforms } from '../platforms/platforms.ts';
import { deleteStore, setStoreKeys } from '../queries.ts';
import { samplePost } from '../tools/sample-post.ts';

const app = testApp();
const order = fixture('woocommerce-order.json');

describe('a signed post', () => {
  test('gets 200 and is stored byte for byte, with its headers and without its signature', async () => {
    const store = await testStore(app, await app.tenant());
    const response = await post(app, store, order, wooHeaders('order.created', order));
    expect(response).toMatchObject({ status: 200, body: { success: true } });

    const { rows } = await app.db.pool.query('select * from store_events where store_id = $1', [
      store.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0].body.equals(order)).toBe(true);
    expect(rows[0]).toMatchObject({ topic: 'order.created', state: 'waiting' });
    expect(rows[0].headers['x-wc-webhook-source']).toBe('https://shop.example/');
    expect(JSON.stringify(rows[0].headers)).not.toContain(sign(order));
  });

  test('of Shopify is accepted with any case of its headers', async () => {
    const store = await testStore(app, await app.tenant(), { platform: 'shopify' });
    const body = fixture('shopify-order.json');
    expect((await post(app, store, body, shopifyHeaders('orders/create', body))).status).toBe(200);
    expect(await eventsOf(app, store)).toMatchObject([{ topic: 'order.created' }]);
  });

  test('of a custom store is accepted', async () => {
    const store = await testStore(app, await app.tenant(), { platform: 'custom' });
    const headers = { 'x-webhook-topic': 'customer.created', 'x-webhook-signature': sign('{}') };
    expect((await post(app, store, '{}', headers)).status).toBe(200);
    expect(await eventsOf(app, store)).toMatchObject([{ topic: 'customer.created' }]);
    const hex = Buffer.from(sign('{"id":1}'), 'base64').toString('hex');
    const inHex = { ...headers, 'x-webhook-signature': `sha256=${hex}` };
    expect((await post(app, store, '{"id":1}', inHex)).status).toBe(200);
    expect((await post(app, store, '{"id":2}', inHex)).status).toBe(401);
  });

  test.each(platformNames)(
    'of %s is stored with the headers of its platform, and without what authenticates it',
    async (platform) => {
      const authentication = {
        type: 'header',
        name: 'X-Parley-Key',
        value: 'open sesame',
      } as const;
      const store = await testStore(app, await app.tenant(), { platform, authentication });
      const sent = samplePost({ platform, secret, authentication }, 'order.created');
      const sentHeaders = sent.headers as Record<string, string>;
      expect((await post(app, store, sent.body, sentHeaders)).status).toBe(200);

      const { rows } = await app.db.pool.query<{ headers: Record<string, string> }>(
        'select headers from store_events where store_id = $1',
        [store.id],
      );
      const { signatureHeader } = platforms[platform];
      const { [signatureHeader.toLowerCase()]: _, 'x-parley-key': __, ...rest } = sentHeaders;
      expect(rows[0]!.headers).toMatchObject(rest);
      expect(Object.values(rows[0]!.headers)).not.toContain(sign(sent.body));
      expect(Object.values(rows[0]!.headers)).not.toContain('open sesame');
    },
  );

  test('over HTTP/1.0, which WooCommerce uses, is accepted', async () => {
    const store = await testStore(app, await app.tenant());
    const head = Object.entries({
      host: 'parley.example',
      'content-length': String(order.length),
      ...wooHeaders('order.created', order),
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    const response = await rawExchange([
      `POST /api/webhooks/${store.webhook_id} HTTP/1.0\r\n${head.join('')}\r\n`,
      order,
    ]);
    expect(response).toMatch(/^HTTP\/1\.[01] 200 /);
    expect(await eventsOf(app, store)).toHaveLength(1);
  });

  test('with an unknown topic is stored', async () => {
    const store = await testStore(app, await app.tenant());
    const headers = wooHeaders('order.restored', order);
    expect((await post(app, store, order, headers)).status).toBe(200);
    const odd = { ...headers, 'x-wc-webhook-topic': 'constructor' };
    expect((await post(app, store, order, odd)).status).toBe(200);
    expect(await eventsOf(app, store)).toMatchObject([{ topic: null }, { topic: null }]);
  });

  test('signed with a secret that WordPress decodes first is accepted', async () => {
    const written = 'tea &amp; cake &lt;3 &#039;quoted&#x27;';
    const store = await testStore(app, await app.tenant(), { secret: written });
    const signed = wooHeaders('order.created', order, `tea & cake <3 'quoted'`);
    expect((await post(app, store, order, signed)).status).toBe(200);
    const undecoded = wooHeaders('order.created', order, written);
    expect((await post(app, store, order, undecoded)).status).toBe(401);
  });
});

describe('a repeat', () => {
  test('of WooCommerce has the same delivery, topic and body', async () => {
    const store = await testStore(app, await app.tenant());
    const headers = wooHeaders('order.created', order);
    const other = Buffer.from(order.toString('utf8').replace('2147483999', '2147484000'));
    await post(app, store, order, headers);
    expect((await post(app, store, order, headers)).status).toBe(200);
    expect(await eventsOf(app, store)).toHaveLength(1);

    // Two orders of the same second share the delivery id.
    await post(app, store, other, { ...headers, 'x-wc-webhook-signature': sign(other) });
    await post(app, store, order, { ...headers, 'x-wc-webhook-topic': 'order.updated' });
    expect(await eventsOf(app, store)).toHaveLength(3);
  });

  test('of Shopify has the same topic and event, whatever else differs', async () => {
    const store = await testStore(app, await app.tenant(), { platform: 'shopify' });
    const body = fixture('shopify-order.json');
    const headers = shopifyHeaders('orders/updated', body);
    await post(app, store, body, headers);
    await post(app, store, body, { ...headers, 'X-Shopify-Webhook-Id': 'another' });
    expect(await eventsOf(app, store)).toHaveLength(1);
    await post(app, store, body, { ...headers, 'X-Shopify-Topic': 'orders/create' });
    await post(app, store, body, { ...headers, 'X-Shopify-Event-Id': 'another' });
    expect(await eventsOf(app, store)).toHaveLength(3);
  });

  test('of Shopify is about the same order: one action of the merchant may change several', async () => {
    const store = await testStore(app, await app.tenant(), { platform: 'shopify' });
    const first = fixture('shopify-order.json');
    const second = Buffer.from(first.toString().replace('820982911946154508', '5550001'));
    const headers = shopifyHeaders('orders/updated', first);
    const ofSecond = { ...headers, 'X-Shopify-Hmac-Sha256': sign(second) };
    await post(app, store, first, headers);
    await post(app, store, second, ofSecond);
    await post(app, store, second, ofSecond);
    expect(await eventsOf(app, store)).toHaveLength(2);
  });

  test('that arrives together with the first post counts as a repeat', async () => {
    const store = await testStore(app, await app.tenant());
    const headers = wooHeaders('order.created', order);
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => post(app, store, order, headers)),
    );
    expect(responses.every((response) => response.status === 200)).toBe(true);
    expect(await eventsOf(app, store)).toHaveLength(1);
  });
});

describe('a post is refused with the same 401', () => {
  const refusals: [
    string,
    (store: { webhook_id: string }) => Promise<{ status: number; body: unknown }>,
  ][] = [
    [
      'signed with another secret',
      (store) => post(app, store, order, wooHeaders('order.created', order, 'another secret')),
    ],
    [
      'not signed',
      (store) =>
        post(app, store, order, {
          ...wooHeaders('order.created', order),
          'x-wc-webhook-signature': '',
        }),
    ],
    [
      'with a signature of another length',
      (store) =>
        post(app, store, order, {
          ...wooHeaders('order.created', order),
          'x-wc-webhook-signature': 'c2hvcnQ=',
        }),
    ],
    [
      'signed by the scheme of another platform',
      (store) => post(app, store, order, shopifyHeaders('orders/create', order)),
    ],
    [
      'with another body than the signed one',
      (store) => post(app, store, '{"id":1}', wooHeaders('order.created', order)),
    ],
    [
      'at an unknown address',
      () => post(app, { webhook_id: 'x'.repeat(32) }, order, wooHeaders('order.created', order)),
    ],
    [
      'at an address with other characters',
      () =>
        post(app, { webhook_id: "a'%00%F0%9F%98%80" }, order, wooHeaders('order.created', order)),
    ],
    [
      'at an address with an invalid escape',
      () => post(app, { webhook_id: '%ff' }, order, wooHeaders('order.created', order)),
    ],
    [
      'at an address that is far too long',
      () => post(app, { webhook_id: 'x'.repeat(600) }, order, wooHeaders('order.created', order)),
    ],
  ];

  test.each(refusals)('%s', async (_name, attempt) => {
    const store = await testStore(app, await app.tenant());
    const { status, body } = await attempt(store);
    expect(status).toBe(401);
    expect(body).toEqual({
      success: false,
      message: 'This address, signature or authentication is not valid.',
      errors: {},
      code: 'unauthorized',
    });
    expect(await eventsOf(app, store)).toEqual([]);
  });

  test('after its store has neither secret nor authentication', async () => {
    const store = await testStore(app, await app.tenant());
    await setStoreKeys(app.db, store.tenant_id, store.id, { secret: null, authentication: null });
    const unsigned = { ...wooHeaders('order.created', order, ''), 'x-wc-webhook-signature': '' };
    expect((await post(app, store, order, unsigned)).status).toBe(401);
    expect((await post(app, store, order, wooHeaders('order.created', order, ''))).status).toBe(
      401,
    );
  });
});

describe('custom authentication', () => {
  const header = { type: 'header', name: 'X-Webhook-Key', value: 'open sesame' } as const;
  const basic = { type: 'basic', username: 'shop', password: 'pass:word' } as const;
  const credentials = Buffer.from('shop:pass:word').toString('base64');

  test('by a header is required in addition to the signature', async () => {
    const store = await testStore(app, await app.tenant(), { authentication: header });
    const signed = wooHeaders('order.created', order);
    expect((await post(app, store, order, signed)).status).toBe(401);
    const wrong = { ...signed, 'x-webhook-key': 'open says me' };
    expect((await post(app, store, order, wrong)).status).toBe(401);
    const unsigned = { ...signed, 'x-wc-webhook-signature': '', 'x-webhook-key': 'open sesame' };
    expect((await post(app, store, order, unsigned)).status).toBe(401);
    const misSigned = { ...unsigned, 'x-wc-webhook-signature': sign('{}') };
    expect((await post(app, store, order, misSigned)).status).toBe(401);
    const right = { ...signed, 'X-Webhook-Key': 'open sesame' };
    expect((await post(app, store, order, right)).status).toBe(200);
    const [event] = await eventsOf(app, store);
    expect(JSON.stringify(event)).not.toContain('open sesame');
  });

  test('alone is enough if no secret is set', async () => {
    const store = await testStore(app, await app.tenant(), { secret: null, authentication: basic });
    const headers = { 'x-wc-webhook-topic': 'order.created' };
    expect((await post(app, store, order, headers)).status).toBe(401);
    const bearer = { ...headers, authorization: `Bearer ${credentials}` };
    expect((await post(app, store, order, bearer)).status).toBe(401);
    const right = { ...headers, authorization: `Basic ${credentials}` };
    expect((await post(app, store, order, right)).status).toBe(200);
  });
});

describe('the ping of WooCommerce', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  test('gets 200 and leaves no event and no verified count, and other posts still need a signature', async () => {
    const store = await testStore(app, await app.tenant());
    expect(await post(app, store, 'webhook_id=3', form)).toMatchObject({ status: 200 });
    await eventually(async () => {
      const { rows } = await app.db.pool.query(
        'select verified, refused, pings from store_hours where store_id = $1',
        [store.id],
      );
      if (rows.length > 0) expect(rows).toEqual([{ verified: 0, refused: 0, pings: 1 }]);
      return rows.length > 0;
    });
    expect(await eventsOf(app, store)).toEqual([]);
    const unsigned = { ...wooHeaders('order.created', order), 'x-wc-webhook-signature': '' };
    expect((await post(app, store, order, unsigned)).status).toBe(401);
  });

  test('is recognized exactly: not with a longer body, for another platform, or at an unknown address', async () => {
    const tenant = await app.tenant();
    const woo = await testStore(app, tenant);
    const shopify = await testStore(app, tenant, { platform: 'shopify' });
    expect((await post(app, woo, 'webhook_id=3&id=1', form)).status).toBe(401);
    expect(
      (await post(app, woo, 'webhook_id=3', { 'content-type': 'application/json' })).status,
    ).toBe(401);
    const asOrder = { ...form, 'x-wc-webhook-topic': 'order.created' };
    expect((await post(app, woo, 'webhook_id=3', asOrder)).status).toBe(401);
    expect((await post(app, shopify, 'webhook_id=3', form)).status).toBe(401);
    expect((await post(app, { webhook_id: 'x'.repeat(32) }, 'webhook_id=3', form)).status).toBe(
      401,
    );
  });
});

describe('hostile posts', () => {
  test('that are compressed are refused before they are inflated', async () => {
    const store = await testStore(app, await app.tenant());
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const headers = { ...wooHeaders('order.created', bomb), 'content-encoding': 'gzip' };
    expect((await post(app, store, bomb, headers)).status).toBe(400);
    expect(await eventsOf(app, store)).toEqual([]);
  });

  test('that are too long are refused', async () => {
    const store = await testStore(app, await app.tenant());
    const long = Buffer.alloc(2 * 1024 * 1024 + 1, ' ');
    expect((await post(app, store, long, wooHeaders('order.created', long))).status).toBe(400);
  });

  test('release their memory when they are refused', async () => {
    const long = Buffer.alloc(2 * 1024 * 1024, ' ');
    for (let count = 0; count < 33; count++) {
      const { status } = await post(app, { webhook_id: 'nobody' }, long, {});
      expect(status).toBe(401);
    }
  });

  test('that never end are aborted', async () => {
    const store = await testStore(app, await app.tenant());
    const response = await rawExchange(
      [
        `POST /api/webhooks/${store.webhook_id} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`,
      ],
      `10000\r\n${'x'.repeat(0x10000)}\r\n`,
    );
    // A client whose connection is closed while it writes may lose the response.
    expect(response).toMatch(/^(HTTP\/1\.1 400 |$)/);
  });

  test('that are announced and never arrive do not block long ones of other clients', async () => {
    const store = await testStore(app, await app.tenant());
    const sockets = [store.webhook_id, 'x'.repeat(32)].flatMap((id) =>
      Array.from({ length: 130 }, () => announce(`/api/webhooks/${id}`, 2 * 1024 * 1024)),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const long = Buffer.from(JSON.stringify({ id: 7, note: 'x'.repeat(1_900_000) }));
    const response = await post(app, store, long, wooHeaders('order.created', long));
    expect(response.status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test('of one client that take too much memory do not block long ones of another', async () => {
    const store = await testStore(app, await app.tenant());
    const begin = Buffer.alloc(1_900_000, ' ');
    const sockets = Array.from({ length: 20 }, () =>
      announce(`/api/webhooks/${store.webhook_id}`, 2 * 1024 * 1024, begin),
    );
    const [refusal] = await Promise.race(sockets.map((socket) => once(socket, 'data')));
    expect(String(refusal)).toMatch(/^HTTP\/1\.1 429 [\s\S]*from this address/);
    const long = Buffer.from(JSON.stringify({ id: 8, note: 'x'.repeat(1_900_000) }));
    const response = await post(app, store, long, wooHeaders('order.created', long));
    expect(response.status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test('of any bytes are stored if they are signed', async () => {
    const store = await testStore(app, await app.tenant());
    for (const body of [
      'not json',
      '',
      Buffer.from([0, 1, 2, 0xff, 0xfe]),
      '{"name":"a\\u0000b\\ud800"}',
      '{"__proto__":{"admin":true}}',
      '['.repeat(1_000_000),
    ]) {
      const response = await post(app, store, body, wooHeaders('order.created', body));
      expect(response.status).toBe(200);
    }
    expect(await eventsOf(app, store)).toHaveLength(6);
  });
});

test('a new secret is accepted immediately, and the old one for another hour', async () => {
  const tenant = await app.tenant();
  const store = await testStore(app, tenant);
  const member = await signIn(app, tenant);
  const statusOf = async (key: string) =>
    (await post(app, store, order, wooHeaders('order.created', order, key))).status;
  const change = (keys: object) => member.call('PUT', `/stores/${store.id}/keys`, keys);
  expect(await statusOf(secret)).toBe(200);
  await change({ secret: 'another secret' });
  expect(await statusOf('another secret')).toBe(200);
  await app.moveClock(59 * 60_000);
  expect(await statusOf(secret)).toBe(200);
  expect(await statusOf('wrong secret')).toBe(401);
  await app.moveClock(2 * 60_000);
  await eventually(async () => (await statusOf(secret)) === 401);
  expect(await statusOf('another secret')).toBe(200);

  // A second change refuses the secret before the last one, in case it has leaked.
  await change({ secret: 'a third secret' });
  await change({ new_secret: true });
  await eventually(async () => (await statusOf('another secret')) === 401);
  expect(await statusOf('a third secret')).toBe(200);
});

test('a post to a store that was just deleted is refused', async () => {
  const tenant = await app.tenant();
  const store = await testStore(app, tenant);
  const other = await testStore(app, tenant);
  expect((await post(app, store, order, wooHeaders('order.created', order))).status).toBe(200);
  await deleteStore(app.db, store.tenant_id, store.id);
  const responses = await Promise.all(
    [store, other].map((each) => post(app, each, order, wooHeaders('order.created', order))),
  );
  expect(responses.map((response) => response.status)).toEqual([401, 200]);
});

test('a large store is deleted while others post', async () => {
  const tenant = await app.tenant();
  const owner = await signIn(app, tenant);
  const [store, other] = [await testStore(app, tenant), await testStore(app, tenant)];
  await app.db.pool.query(
    `insert into store_events (tenant_id, store_id, dedup_key, headers, body, due_at)
     select $1, $2, int4send(n), '{}', '{}', null from generate_series(1, 1200) as n`,
    [tenant.id, store.id],
  );
  const blocker = await holdLocks(
    app,
    'select from store_events where store_id = $1 order by id desc limit 1 for update',
    [store.id],
  );
  const deleted = owner.call('DELETE', `/stores/${store.id}`);
  await lockWaiters(app);
  const responses = await Promise.all(
    [store, other].map((each) => post(app, each, order, wooHeaders('order.created', order))),
  );
  expect(responses.map((response) => response.status)).toEqual([401, 200]);
  await blocker.query('rollback');
  expect((await deleted).status).toBe(200);
  for (const table of ['stores where id', 'store_events where store_id']) {
    const { rows } = await app.db.pool.query(`select from ${table} = $1`, [store.id]);
    expect(rows).toHaveLength(0);
  }
});

test('while the database refuses it, a post gets 500, and is accepted when it is resent', async () => {
  const store = await testStore(app, await app.tenant());
  const headers = wooHeaders('order.created', order);
  const blocker = await holdLocks(app, 'lock table store_events in access exclusive mode');
  const response = await post(app, store, order, headers);
  await blocker.query('commit');
  expect(response.status).toBe(500);
  expect(response.headers['retry-after']).toBeDefined();
  expect((await post(app, store, order, headers)).status).toBe(200);
  expect(await eventsOf(app, store)).toHaveLength(1);
});

test('while the database hangs, the posts of a flood do not wait for each other', async () => {
  const store = await testStore(app, await app.tenant());
  const bodies = Array.from({ length: 1_000 }, (_each, id) => `{"id":${id + 1}}`);
  const blocker = await holdLocks(app, 'lock table store_events in access exclusive mode');
  // The database recovers only after each of them has its response.
  const responses = await Promise.all(
    bodies.map((body) => post(app, store, body, wooHeaders('order.created', body))),
  );
  await blocker.query('commit');
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([500]));
  const again = '{"id":1000}';
  expect((await post(app, store, again, wooHeaders('order.created', again))).status).toBe(200);
});

test('another method on the same address is not found', async () => {
  const store = await testStore(app, await app.tenant());
  expect((await call(app, 'GET', `/api/webhooks/${store.webhook_id}`)).status).toBe(404);
});

/** Begins a post from a client address that no other test uses. */
function announce(path: string, length: number, begin: Buffer | string = 'begins'): Socket {
  const { hostname, port } = new URL(app.url);
  const socket = connect({ port: Number(port), host: hostname, localAddress: '127.0.0.2' });
  socket.on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  socket.write(begin);
  return socket;
}

/** Writes to a new connection, `rest` repeatedly until it is closed. Returns everything that was received. */
async function rawExchange(parts: (string | Buffer)[], rest?: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  socket.on('error', () => {});
  for (const part of parts) socket.write(part);
  const more = () => {
    while (rest && !socket.destroyed && socket.write(rest));
  };
  socket.on('drain', more);
  more();
  await new Promise((resolve) => socket.on('close', resolve));
  return response;
}
