import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { control, eventually, type TestTenant, testApp } from '../../test/app.ts';
import { syncTemplates } from '../templates/sync-templates.ts';
import { startWorkers } from '../workers.ts';
import type { StoreEventRow } from './event-queries.ts';
import { mapTopic } from './map-topic.ts';
import type { StoreRow } from './queries.ts';
import type { Topic, TopicAction } from './schema.ts';
import { eventsOf, fixture, post, shopifyHeaders, testStore, wooHeaders } from './test-store.ts';

const app = testApp({ PARLEY_STORE_SCHEDULE: '0.2,0.2', PARLEY_NETWORK_TIMEOUT_MS: '2000' });
const order = fixture('woocommerce-order.json');
let stopWorkers: () => Promise<void>;

beforeAll(() => {
  stopWorkers = startWorkers(app.services);
});
afterAll(() => stopWorkers());

describe('what a post leads to', () => {
  test('a guest order of WooCommerce makes the contact, its phone read by the billing country', async () => {
    const shop = await app.tenant();
    const event = await sendWoo(await testStore(app, shop), 'order.created', order);
    expect(event).toMatchObject({ state: 'done', reason: null });
    expect(await contacts(shop)).toMatchObject([
      {
        id: event.contact_id,
        firstname: 'Jürgen',
        lastname: 'Groß',
        phone: '+492214771234',
        email: 'juergen@example.org',
        company: null,
        city: 'Köln',
      },
    ]);
  });

  test('an order of Shopify has the name of its customer and the first phone in Shopify’s order', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop, { platform: 'shopify' });
    const event = await sendShopify(store, 'orders/create', fixture('shopify-order.json'));
    expect(event.state).toBe('done');
    expect(await contacts(shop)).toMatchObject([
      { firstname: 'ジョン', lastname: '山田', phone: '+442079460958', email: 'jon@example.com' },
    ]);
  });

  test('a customer with an empty billing address has the phone of the shipping address', async () => {
    const shop = await app.tenant();
    const customer = fixture('woocommerce-customer.json');
    const event = await sendWoo(await testStore(app, shop), 'customer.created', customer);
    expect(event.state).toBe('done');
    expect(await contacts(shop)).toMatchObject([
      { firstname: '伟', lastname: '李', phone: '+8613912345678', city: '上海' },
    ]);
  });

  test('a customer of Shopify has its own phone before that of its address', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop, { platform: 'shopify' });
    await sendShopify(store, 'customers/create', fixture('shopify-customer.json'));
    expect(await contacts(shop)).toMatchObject([{ firstname: 'Bob', phone: '+33612345678' }]);
  });

  test('the contact gets the source and the groups that the topic is mapped to, in one event', async () => {
    const shop = await app.tenant();
    const source = (await shop.call('POST', '/sources', { name: 'Web shop' })).body.data.id;
    const group = (await shop.call('POST', '/groups', { name: 'Buyers' })).body.data.id;
    const other = (await shop.call('POST', '/groups', { name: 'Friends' })).body.data.id;
    const store = await testStore(app, shop);
    const mapped = (ids: number[]) => ({
      contact: { mode: 'upsert' as const, source_id: source, group_ids: ids },
    });
    await map(store, 'order.created', mapped([group, 987654]));
    await sendWoo(store, 'order.created', order);
    expect(await contacts(shop)).toMatchObject([{ source_id: source, group_ids: [group] }]);
    await map(store, 'order.updated', mapped([other]));
    await sendWoo(store, 'order.updated', order);
    expect(await contacts(shop)).toMatchObject([{ source_id: source, group_ids: [group, other] }]);
  });

  test('nothing, where the topic has nothing set', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop, { platform: 'shopify' });
    expect(
      await sendShopify(store, 'products/create', fixture('shopify-product.json')),
    ).toMatchObject({
      state: 'nothing_to_do',
    });
    expect(
      await sendShopify(store, 'orders/delete', fixture('shopify-order-deleted.json')),
    ).toMatchObject({ state: 'nothing_to_do' });
    await map(store, 'order.created', { contact: { mode: 'none' } });
    expect(await sendShopify(store, 'orders/create', fixture('shopify-order.json'))).toMatchObject({
      state: 'nothing_to_do',
    });
    expect(await contacts(shop)).toEqual([]);
  });

  test('ids beyond 2^53 keep every digit', async () => {
    const store = await testStore(app, await app.tenant(), { platform: 'shopify' });
    await sendShopify(store, 'orders/create', fixture('shopify-order.json'));
    const { rows } = await app.db.pool.query(
      `select resource_id from store_resources where store_id = $1 and kind = 'order'`,
      [store.id],
    );
    expect(rows).toEqual([{ resource_id: '820982911946154508' }]);
  });
});

describe('a post is kept and skipped, with the reason and without a contact', () => {
  const change = (from: string, to: string) => Buffer.from(order.toString().replace(from, to));
  test.each<[string, string, Buffer | string, RegExp]>([
    ['a topic that nobody offers', 'order.restored', order, /order\.restored/],
    ['a create replayed as a delete', 'order.deleted', order, /not that of an order deleted/],
    ['a delete replayed as a create', 'order.created', '{"id":2147483999}', /not that of an order/],
    ['an order replayed as a customer', 'customer.created', order, /not that of a customer/],
    ['an order replayed as a product', 'product.created', order, /not that of a product/],
    ['no phone at all', 'order.created', change('0221 \\/ 477 12 34', ''), /no phone/],
    [
      'a phone with letters',
      'order.created',
      change('0221 \\/ 477', '555-SHIP'),
      /no phone number of DE/,
    ],
    ['a phone of no country', 'order.created', change('"DE"', '""'), /country code/],
    [
      'a phone that is a filler',
      'order.created',
      change('0221 \\/ 477 12 34', '0000000000'),
      /no phone number/,
    ],
    ['a body that is no JSON', 'order.created', 'order', /not a JSON object/],
    [
      'a body that is not UTF-8',
      'order.created',
      Buffer.from([0x22, 0xff, 0x22]),
      /not a JSON object/,
    ],
    ['a body that is a list', 'order.created', '[1]', /not a JSON object/],
    ['a million nested lists', 'order.created', '['.repeat(1_000_000), /not a JSON object/],
    [
      'lists nested in a field',
      'order.created',
      `{"id":1,"line_items":${'['.repeat(900_000)}${']'.repeat(900_000)}}`,
      /not a JSON object/,
    ],
    [
      'fields from a prototype',
      'order.created',
      '{"__proto__":{"id":7,"billing":{"phone":"+14155550132"}}}',
      /not that of an order/,
    ],
  ])('%s', async (_name, topic, body, reason) => {
    const shop = await app.tenant();
    const event = await sendWoo(await testStore(app, shop), topic, body);
    expect(event).toMatchObject({ state: 'skipped', reason: expect.stringMatching(reason) });
    expect(await contacts(shop)).toEqual([]);
  });

  test('the test notification of Shopify, whose phone has letters', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop, { platform: 'shopify' });
    const event = await sendShopify(store, 'orders/create', fixture('shopify-test-order.json'));
    expect(event).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/555-555-SHIP/),
    });
    expect(await contacts(shop)).toEqual([]);
  });

  test('an error that the store sends in place of an order fails, and says so', async () => {
    const store = await testStore(app, await app.tenant());
    const event = await sendWoo(store, 'order.created', fixture('woocommerce-lost-rights.json'));
    expect(event).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/cannot view this resource/),
      due_at: null,
    });
  });
});

test('texts that PostgreSQL cannot keep are cleaned', async () => {
  const shop = await app.tenant();
  const body = order
    .toString()
    .replace('J\\u00fcrgen', 'J\\u0000\\ud800\\n\\u0007\\u0022')
    .replace('K\\u00f6ln', '\\u0000');
  expect((await sendWoo(await testStore(app, shop), 'order.created', body)).state).toBe('done');
  expect(await contacts(shop)).toMatchObject([{ firstname: 'J\ufffd "', city: null }]);
});

describe('the order of things is that of the payloads', () => {
  const at = (time: string, name: string) =>
    Buffer.from(
      order.toString().replace('2026-11-02T09:15:07', time).replace('J\\u00fcrgen', name),
    );

  test('an older update that comes later changes nothing', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop);
    await sendWoo(store, 'order.updated', at('2026-11-02T12:00:00', 'New'));
    const late = await sendWoo(store, 'order.updated', at('2026-11-02T11:00:00', 'Old'));
    expect(late).toMatchObject({ state: 'skipped', reason: expect.stringMatching(/newer/) });
    expect(await contacts(shop)).toMatchObject([{ firstname: 'New' }]);
    await sendWoo(store, 'order.updated', at('2026-11-02T12:00:01', 'Newest'));
    expect(await contacts(shop)).toMatchObject([{ firstname: 'Newest' }]);
  });

  test('another order of the same buyer that is older leaves the contact as it is', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop);
    await sendWoo(store, 'order.created', at('2026-11-02T12:00:00', 'New'));
    const other = at('2026-11-02T11:00:00', 'Old').toString().replace('2147483999', '17');
    expect((await sendWoo(store, 'order.created', other)).state).toBe('done');
    expect(await contacts(shop)).toMatchObject([{ firstname: 'New' }]);
  });

  test('a create that comes after its update is still told to the buyer, and not after its deletion', async () => {
    const { shop, store } = await shopWithTemplate('order.created');
    await sendWoo(store, 'order.updated', at('2026-11-02T12:00:00', 'New'));
    const late = await sendWoo(store, 'order.created', at('2026-11-02T11:59:59', 'Old'));
    expect(late.state).toBe('done');
    expect(await contacts(shop)).toMatchObject([{ firstname: 'New' }]);
    expect(await onThePhone(shop)).toHaveLength(1);

    await sendWoo(store, 'order.deleted', '{"id":55}');
    const gone = at('2026-11-02T11:00:00', 'Gone').toString().replace('2147483999', '55');
    expect(await sendWoo(store, 'order.created', gone)).toMatchObject({ state: 'skipped' });
    expect(await onThePhone(shop)).toHaveLength(1);
  });
});

describe('a message for an event', () => {
  test('is the template, with fields from the payload by path, format and default', async () => {
    const { shop, store } = await shopWithTemplate('order.created');
    const event = await sendWoo(store, 'order.created', order);
    expect(event).toMatchObject({ state: 'done', message_id: expect.any(Number) });
    const [message] = await onThePhone(shop);
    expect(message.rendered.body).toBe(
      'Hello Jürgen, your order €1,234.50 has left our warehouse and should reach you on Nov 2, 2026.',
    );
    expect(await counts(store)).toMatchObject({ verified: 1, done: 1, messages_sent: 1 });
  });

  test('is not sent where the payload lacks a field without a default', async () => {
    const { shop, store } = await shopWithTemplate('order.created', { second: 'coupon.code' });
    expect(await sendWoo(store, 'order.created', order)).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/coupon\.code/),
    });
    expect(await onThePhone(shop)).toEqual([]);
  });

  test('of a template that is not approved fails with the reason; the contact is made', async () => {
    const { shop, store } = await shopWithTemplate('order.created', { name: 'no_such' });
    expect(await sendWoo(store, 'order.created', order)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/no_such/),
      due_at: null,
    });
    expect(await contacts(shop)).toHaveLength(1);
  });

  test('that the network is too busy for is tried again, by the schedule, and goes out once', async () => {
    const { shop, store } = await shopWithTemplate('order.created');
    await misbehave(shop, { failWith: 131016, count: 2 });
    const event = await sendWoo(store, 'order.created', order, (each) => each.state === 'done');
    expect(event.attempts).toBe(3);
    expect(await onThePhone(shop)).toHaveLength(1);
    expect(await counts(store)).toMatchObject({ failed: 0, done: 1, messages_sent: 1 });
  });

  test('that the network refuses for good fails once the schedule is through', async () => {
    const { shop, store } = await shopWithTemplate('order.created');
    await misbehave(shop, { failWith: 131016 });
    const event = await sendWoo(store, 'order.created', order, settled);
    expect(event).toMatchObject({ state: 'failed', attempts: 3 });
    expect(event.reason).toMatch(/131016/);
    expect(await counts(store)).toMatchObject({ failed: 1, messages_sent: 0 });
  });

  test('whose answer was lost is never sent again, and shown as such', async () => {
    const { shop, store } = await shopWithTemplate('order.created');
    await misbehave(shop, { answer: 'drop-after-accept' });
    const event = await sendWoo(store, 'order.created', order, settled);
    expect(event).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/may have been sent/),
      attempts: 1,
    });
    expect(await onThePhone(shop)).toHaveLength(1);
  });

  test('keeps to what the network takes to one phone; what is beyond fails and is not lost', async () => {
    const { shop, store } = await shopWithTemplate('order.created');
    await Promise.all(
      Array.from({ length: 50 }, (_each, id) => {
        const body = order.toString().replace('2147483999', `${id + 1}`);
        return post(app, store, body, wooHeaders('order.created', body));
      }),
    );
    const events = await eventually(async () => {
      const all = await eventsOf(app, store);
      return all.length === 50 && all.every(settled) && all;
    });
    const beyond = events.filter((each) => each.state === 'failed');
    expect(beyond[0]!.reason).toMatch(/too many|throughput|as fast as/);
    expect(await onThePhone(shop)).toHaveLength(50 - beyond.length);
  });

  test('is not sent again by a process that finds it written down', async () => {
    const { shop, store } = await shopWithTemplate('order.created');
    await sendWoo(store, 'order.created', order);
    // As a process leaves it that dies between the network's answer and writing down the outcome.
    for (const [status, outcome] of [
      ['sent', { state: 'done' }],
      ['unknown', { state: 'failed', reason: expect.stringMatching(/may have been sent/) }],
    ] as const) {
      await app.db.pool.query(
        `update messages set status = $1, network_id = case when $1 = 'sent' then network_id end
         where tenant_id = $2`,
        [status, shop.id],
      );
      await app.db.pool.query(
        `update store_events set state = 'waiting', due_at = now() where store_id = $1`,
        [store.id],
      );
      const event = await eventually(async () => (await eventsOf(app, store)).find(settled));
      expect(event).toMatchObject(outcome);
    }
    expect(await onThePhone(shop)).toHaveLength(1);
  });
});

test('an event that a dead process had in hand is taken up when its lease ends', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop);
  await stopWorkers();
  await post(app, store, order, wooHeaders('order.created', order));
  await app.db.pool.query(
    `update store_events set attempts = 1, due_at = now() + interval '1 minute' where store_id = $1`,
    [store.id],
  );
  stopWorkers = startWorkers(app.services);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await eventsOf(app, store)).toMatchObject([{ state: 'waiting' }]);
  app.clock.offsetMs = 61_000;
  const event = await eventually(async () => (await eventsOf(app, store)).find(settled));
  app.clock.offsetMs = 0;
  expect(event).toMatchObject({ state: 'done', attempts: 2 });
});

test('the statements of the queue find their rows by index, also while the tables are empty', async () => {
  for (const statement of [
    `select id from store_events where tenant_id = 1 and due_at <= now() order by due_at, id limit 2`,
    `select tenant_id from store_events where due_at is not null order by tenant_id, due_at limit 1`,
  ]) {
    const client = await app.db.pool.connect();
    await client.query('begin; set local enable_seqscan = off');
    const { rows } = await client.query(`explain ${statement}`);
    await client.query('rollback');
    client.release();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/store_events_due/);
    expect(plan).not.toMatch(/Seq Scan/);
  }
});

function settled(event: StoreEventRow): boolean {
  return event.state !== 'waiting' && event.due_at === null;
}

async function sendWoo(
  store: StoreRow,
  topic: string,
  body: Buffer | string,
  until: (event: StoreEventRow) => boolean = settled,
): Promise<StoreEventRow> {
  return sent(store, until, () => post(app, store, body, wooHeaders(topic, body)));
}

async function sendShopify(store: StoreRow, topic: string, body: Buffer): Promise<StoreEventRow> {
  return sent(store, settled, () => post(app, store, body, shopifyHeaders(topic, body)));
}

/** Posts, and waits for what comes of it. */
async function sent(
  store: StoreRow,
  until: (event: StoreEventRow) => boolean,
  posting: () => Promise<{ status: number }>,
): Promise<StoreEventRow> {
  const before = (await eventsOf(app, store)).length;
  expect((await posting()).status).toBe(200);
  return eventually(async () => {
    const events = await eventsOf(app, store);
    return events.length > before && until(events[0]!) && events[0]!;
  });
}

async function map(store: StoreRow, topic: Topic, action: TopicAction) {
  await mapTopic(app.db, store.tenant_id, store.id, topic, action);
}

/** A tenant whose topic sends the simulator's template of three placeholders. */
async function shopWithTemplate(topic: Topic, { name = 'order_update', second = 'total' } = {}) {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  const store = await testStore(app, shop);
  await map(store, topic, {
    contact: { mode: 'upsert' },
    template: {
      name,
      language: 'en',
      fields: [
        { path: 'billing.first_name', format: 'first_word', default: 'friend' },
        { path: second, format: 'money' },
        { path: 'date_created', format: 'date' },
      ],
    },
  });
  return { shop, store };
}

async function contacts(shop: TestTenant) {
  return (await shop.call('GET', '/contacts')).body.data;
}

async function onThePhone(shop: TestTenant) {
  const numberId = shop.number.phone_number_id;
  return (await control(app, 'GET', `/simulator/messages?phone_number_id=${numberId}`)).messages;
}

function misbehave(shop: TestTenant, knobs: object) {
  return control(app, 'POST', '/simulator/behaviour', {
    phone_number_id: shop.number.phone_number_id,
    ...knobs,
  });
}

async function counts(store: StoreRow) {
  const { rows } = await app.db.pool.query('select * from store_hours where store_id = $1', [
    store.id,
  ]);
  return rows[0];
}
