import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { holdLocks } from '../../../test/database/locks.ts';
import { planOf } from '../../../test/database/plan-of.ts';
import {
  contactsOf,
  eventsOf,
  fixture,
  forgetShop,
  post,
  processPosts,
  sendPost,
  sendShopify,
  sendWoo,
  settled,
  shopWithTemplate,
  testStore,
  wooHeaders,
} from '../../../test/features/stores.ts';
import { testApp } from '../../../test/program/app.ts';
import { onThePhone } from '../../../test/servers/phone.ts';
import type { Db } from '../../platform/database/database.ts';
import { renewLeases } from '../../platform/jobs/renew-leases.ts';
import { mapTopic, topicActions } from '../map-topic.ts';
import type { StoreRow } from '../queries.ts';
import type { Topic, TopicAction } from '../schema.ts';
import { type ClaimedEvent, claimStoreEvents, storeEventQueue } from './claim-events.ts';
import { linkMessage, type Settlement, settleStoreEvents } from './settle-events.ts';

const app = testApp();
const order = fixture('woocommerce-order.json');
/** An order by a customer with an account in the shop, so it updates the contact. */
const customersOrder = order.toString().replace('"customer_id": 0', '"customer_id": 7');
let stopProcessing: () => Promise<void>;

beforeAll(() => {
  stopProcessing = processPosts(app);
});
afterAll(() => stopProcessing());

describe('the result of a post', () => {
  test('a guest order of WooCommerce creates the contact, with the phone read for the billing country', async () => {
    const shop = await app.tenant();
    const event = await sendWoo(app, await testStore(app, shop), 'order.created', order);
    expect(event).toMatchObject({ state: 'done', reason: null });
    expect(await contactsOf(shop)).toMatchObject([
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

  test('a buyer without a first name gets the last name as first name', async () => {
    const shop = await app.tenant();
    const nameless = order.toString().replace('J\\u00fcrgen', '');
    await sendWoo(app, await testStore(app, shop), 'order.created', nameless);
    expect(await contactsOf(shop)).toMatchObject([{ firstname: 'Groß', lastname: null }]);
  });

  test('an order of Shopify has the name and a phone of its customer', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop, { platform: 'shopify' });
    const event = await sendShopify(app, store, 'orders/create', fixture('shopify-order.json'));
    expect(event.state).toBe('done');
    expect(await contactsOf(shop)).toMatchObject([
      {
        firstname: 'ジョン',
        lastname: '山田',
        phone: '+16135550107',
        email: 'jon@example.com',
        company: null,
        city: 'Ottawa',
      },
    ]);
  });

  test('a Shopify order without line items is still an order', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop, { platform: 'shopify' });
    const trimmed = '{"id":7,"customer":{"first_name":"Ann","phone":"+44 20 7946 0958"}}';
    await sendShopify(app, store, 'orders/create', Buffer.from(trimmed));
    expect(await contactsOf(shop)).toMatchObject([{ firstname: 'Ann', phone: '+442079460958' }]);
  });

  test('a customer with an empty billing address gets the phone of the shipping address', async () => {
    const shop = await app.tenant();
    const customer = fixture('woocommerce-customer.json');
    const event = await sendWoo(app, await testStore(app, shop), 'customer.created', customer);
    expect(event.state).toBe('done');
    expect(await contactsOf(shop)).toMatchObject([
      { firstname: '伟', lastname: '李', phone: '+8613912345678', city: '上海' },
    ]);
  });

  test('the phone of a Shopify customer comes before the phone of the address', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop, { platform: 'shopify' });
    await sendShopify(app, store, 'customers/create', fixture('shopify-customer.json'));
    expect(await contactsOf(shop)).toMatchObject([{ firstname: 'Bob', phone: '+33612345678' }]);
  });

  test('the contact gets the source and the groups of the topic’s action, in one event', async () => {
    const shop = await app.tenant();
    const source = (await shop.call('POST', '/sources', { name: 'Web shop' })).body.data.id;
    const group = (await shop.call('POST', '/groups', { name: 'Buyers' })).body.data.id;
    const other = (await shop.call('POST', '/groups', { name: 'Friends' })).body.data.id;
    const store = await testStore(app, shop);
    const gone = (await shop.call('POST', '/groups', { name: 'Gone' })).body.data.id;
    const mapped = (ids: number[]) => ({
      contact: { mode: 'upsert' as const, source_id: source, group_ids: ids },
    });
    await map(store, 'order.created', mapped([group, gone]));
    await shop.call('DELETE', `/groups/${gone}`);
    await sendWoo(app, store, 'order.created', order);
    expect(await contactsOf(shop)).toMatchObject([{ source_id: source, group_ids: [group] }]);
    await map(store, 'order.updated', mapped([other]));
    await sendWoo(app, store, 'order.updated', order);
    expect(await contactsOf(shop)).toMatchObject([
      { source_id: source, group_ids: [group, other] },
    ]);
  });

  test('nothing happens if the topic has no action', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop, { platform: 'shopify' });
    expect(
      await sendShopify(app, store, 'products/create', fixture('shopify-product.json')),
    ).toMatchObject({
      state: 'nothing_to_do',
    });
    expect(
      await sendShopify(app, store, 'orders/delete', fixture('shopify-order-deleted.json')),
    ).toMatchObject({ state: 'nothing_to_do' });
    await map(store, 'order.created', { contact: { mode: 'none' } });
    expect(
      await sendShopify(app, store, 'orders/create', fixture('shopify-order.json')),
    ).toMatchObject({
      state: 'nothing_to_do',
    });
    expect(await contactsOf(shop)).toEqual([]);
  });

  test('ids beyond 2^53 keep every digit', async () => {
    const store = await testStore(app, await app.tenant(), { platform: 'shopify' });
    await sendShopify(app, store, 'orders/create', fixture('shopify-order.json'));
    const { rows } = await app.db.pool.query(
      `select resource_id from store_resources where store_id = $1 and kind = 'order'`,
      [store.id],
    );
    expect(rows).toEqual([{ resource_id: '820982911946154508' }]);
  });
});

describe('a post is stored and skipped, with the reason and without a contact', () => {
  const change = (from: string, to: string) => Buffer.from(order.toString().replace(from, to));
  test.each<[string, string, Buffer | string, RegExp]>([
    ['an unknown topic', 'order.restored', order, /order\.restored/],
    [
      'a create replayed as a delete',
      'order.deleted',
      order,
      /does not match the topic order\.deleted/,
    ],
    [
      'a delete replayed as a create',
      'order.created',
      '{"id":2147483999}',
      /does not match the topic order\.created/,
    ],
    [
      'an order replayed as a customer',
      'customer.created',
      order,
      /does not match the topic customer\.created/,
    ],
    [
      'an order replayed as a product',
      'product.created',
      order,
      /does not match the topic product\.created/,
    ],
    ['no phone at all', 'order.created', change('0221 \\/ 477 12 34', ''), /no billing phone/],
    [
      'a phone with letters',
      'order.created',
      change('0221 \\/ 477', '555-SHIP'),
      /billing phone "555-SHIP 12 34" is not a valid DE number/,
    ],
    [
      'a phone whose reason is cut inside an emoji',
      'order.created',
      change('0221 \\/ 477', `+${'x'.repeat(38)}😀`),
      /billing phone "\+x+\ufffd" is not a valid number/,
    ],
    ['a phone without a country', 'order.created', change('"DE"', '""'), /no country code/],
    [
      'a placeholder phone',
      'order.created',
      change('0221 \\/ 477 12 34', '0000000000'),
      /not a valid number/,
    ],
    ['a body that is not JSON', 'order.created', 'order', /not a JSON object/],
    [
      'a body that is not UTF-8',
      'order.created',
      Buffer.from([0x22, 0xff, 0x22]),
      /not a JSON object/,
    ],
    ['a body that is a list', 'order.created', '[1]', /not a JSON object/],
    ['a million nested lists', 'order.created', '['.repeat(1_000_000), /too many values/],
    [
      'lists nested in a field',
      'order.created',
      `{"id":1,"line_items":${'['.repeat(90_000)}${']'.repeat(90_000)}}`,
      /not a JSON object/,
    ],
    [
      'fields from a prototype',
      'order.created',
      '{"__proto__":{"id":7,"billing":{"phone":"+14155550132"}}}',
      /does not match the topic order\.created/,
    ],
  ])('%s', async (_name, topic, body, reason) => {
    const shop = await app.tenant();
    const event = await sendWoo(app, await testStore(app, shop), topic, body);
    expect(event).toMatchObject({ state: 'skipped', reason: expect.stringMatching(reason) });
    expect(await contactsOf(shop)).toEqual([]);
  });

  test('the test notification of Shopify, which has invalid phones', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop, { platform: 'shopify' });
    const event = await sendShopify(
      app,
      store,
      'orders/create',
      fixture('shopify-test-order.json'),
    );
    expect(event).toMatchObject({
      state: 'skipped',
      reason: 'The default address phone "123-123-1234" is not a valid CA number.',
    });
    expect(await contactsOf(shop)).toEqual([]);
  });

  test.each([
    ['orders/create', 'shopify-customer.json'],
    ['orders/create', 'shopify-product.json'],
    ['orders/delete', 'shopify-order.json'],
    ['customers/create', 'shopify-order.json'],
    ['customers/create', 'shopify-product.json'],
    ['products/create', 'shopify-order.json'],
  ])('a Shopify post with the unsigned topic %s and the body of %s', async (topic, name) => {
    const shop = await app.tenant();
    const store = await testStore(app, shop, { platform: 'shopify' });
    const event = await sendShopify(app, store, topic, fixture(name));
    expect([event.state, event.reason]).toEqual([
      'skipped',
      expect.stringMatching(/^The body does not match the topic \w+/),
    ]);
    expect(await contactsOf(shop)).toEqual([]);
  });

  test.each<[string, Buffer | string, RegExp]>([
    ['', fixture('woocommerce-lost-rights.json'), /cannot view this resource/],
    [
      ', cut inside emojis',
      JSON.stringify({ code: `${'c'.repeat(79)}😀`, message: `${'m'.repeat(199)}😀` }),
      /^The store sent an error: m{199}\ufffd \(c{79}\ufffd\)$/,
    ],
  ])(
    'an error that the store sends instead of an order fails with that reason%s',
    async (_name, body, reason) => {
      const store = await testStore(app, await app.tenant());
      const event = await sendWoo(app, store, 'order.created', body);
      expect(event).toMatchObject({
        state: 'failed',
        reason: expect.stringMatching(reason),
        reason_says: { text: event.reason },
        due_at: null,
      });
    },
  );
});

test.each(['0000-01-01T00:00:00', '0000-00-00T00:00:00', '9999-12-31T23:59:59-01:00'])(
  'an order with the time %s counts as changed when it arrived',
  async (time) => {
    const shop = await app.tenant();
    const body = order.toString().replace('2026-11-02T09:15:07', time);
    const event = await sendWoo(app, await testStore(app, shop), 'order.created', body);
    expect(event).toMatchObject({ state: 'done', attempts: 1 });
    const { rows } = await app.db.pool.query(
      `select changed_at from store_resources where tenant_id = $1 and kind = 'order'`,
      [shop.id],
    );
    expect(rows).toEqual([{ changed_at: event.received_at }]);
  },
);

test('texts that PostgreSQL cannot store are cleaned', async () => {
  const shop = await app.tenant();
  const body = order
    .toString()
    .replace('J\\u00fcrgen', 'J\\u0000\\ud800\\n\\u0007\\u0022')
    .replace('K\\u00f6ln', '\\u0000');
  expect((await sendWoo(app, await testStore(app, shop), 'order.created', body)).state).toBe(
    'done',
  );
  expect(await contactsOf(shop)).toMatchObject([{ firstname: 'J\ufffd "', city: null }]);
});

describe('the times in the payloads decide the order of events', () => {
  const at = (time: string, name: string) =>
    Buffer.from(customersOrder.replace('2026-11-02T09:15:07', time).replace('J\\u00fcrgen', name));

  test('an older update that arrives later changes nothing', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop);
    await sendWoo(app, store, 'order.updated', at('2026-11-02T12:00:00', 'New'));
    const late = await sendWoo(app, store, 'order.updated', at('2026-11-02T11:00:00', 'Old'));
    expect(late).toMatchObject({ state: 'skipped', reason: expect.stringMatching(/newer/) });
    expect(await contactsOf(shop)).toMatchObject([{ firstname: 'New' }]);
    await sendWoo(app, store, 'order.updated', at('2026-11-02T12:00:01', 'Newest'));
    expect(await contactsOf(shop)).toMatchObject([{ firstname: 'Newest' }]);
  });

  test('an older order of the same buyer does not change the contact', async () => {
    const shop = await app.tenant();
    const store = await testStore(app, shop);
    await sendWoo(app, store, 'order.created', at('2026-11-02T12:00:00', 'New'));
    const other = at('2026-11-02T11:00:00', 'Old').toString().replace('2147483999', '17');
    expect((await sendWoo(app, store, 'order.created', other)).state).toBe('done');
    expect(await contactsOf(shop)).toMatchObject([{ firstname: 'New' }]);
  });

  test('a create that arrives after its update still sends its message, but not after a deletion', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await sendWoo(app, store, 'order.updated', at('2026-11-02T12:00:00', 'New'));
    const late = await sendWoo(app, store, 'order.created', at('2026-11-02T11:59:59', 'Old'));
    expect(late.state).toBe('done');
    expect(await contactsOf(shop)).toMatchObject([{ firstname: 'New' }]);
    expect(await onThePhone(app, shop)).toHaveLength(1);

    await sendWoo(app, store, 'order.deleted', '{"id":55}');
    const gone = at('2026-11-02T11:00:00', 'Gone').toString().replace('2147483999', '55');
    expect(await sendWoo(app, store, 'order.created', gone)).toMatchObject({ state: 'skipped' });
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });

  test.each([true, false])(
    'a create that arrives after its update creates the contact that the update left alone, with a template: %s',
    async (withTemplate) => {
      const { shop, store } = await shopWithTemplate(app, 'order.created');
      const { template } = (await topicActions(app.db, shop.id, store.id))['order.created'];
      const contact = { mode: 'automatic' } as const;
      await map(store, 'order.created', withTemplate ? { contact, template } : { contact });
      await map(store, 'order.updated', { contact: { mode: 'none' } });
      await sendWoo(app, store, 'order.updated', at('2026-11-02T12:00:00', 'New'));
      const late = await sendWoo(app, store, 'order.created', at('2026-11-02T11:59:59', 'Old'));
      const [created] = await contactsOf(shop);
      expect(created).toMatchObject({ firstname: 'Old' });
      expect(late).toMatchObject({ state: 'done', contact_id: created.id });

      await sendWoo(app, store, 'order.deleted', '{"id":55}');
      const gone = at('2026-11-02T11:00:00', 'Gone')
        .toString()
        .replace('2147483999', '55')
        .replace('0221 \\/ 477 12 34', '0221 \\/ 477 12 35');
      expect(await sendWoo(app, store, 'order.created', gone)).toMatchObject({ state: 'skipped' });
      expect(await contactsOf(shop)).toHaveLength(1);
    },
  );
});

describe('a deletion counts as newer than every known state, even if the store’s clock is ahead:', () => {
  const hours = (ahead: number) => new Date(Date.now() + ahead * 3_600_000).toISOString();
  const at = (time: string) =>
    order.toString().replace('2026-11-02T09:15:07', time.replace(/\..*/, ''));

  test('late events of the order send no message', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    const { template } = (await topicActions(app.db, shop.id, store.id))['order.created'];
    await map(store, 'order.updated', { contact: { mode: 'none' }, template });
    const sentCount = () => onThePhone(app, shop).then((messages) => messages.length);
    const late = { state: 'skipped', reason: expect.stringMatching(/newer/) };
    const known = hours(2);
    await sendWoo(app, store, 'order.updated', at(known));
    expect(await sentCount()).toBe(1);
    await sendWoo(app, store, 'order.deleted', '{"id":2147483999}');
    expect(await sendWoo(app, store, 'order.updated', at(hours(1)))).toMatchObject(late);
    const same = at(known).replace('processing', 'pending');
    expect(await sendWoo(app, store, 'order.updated', same)).toMatchObject(late);
    expect(await sendWoo(app, store, 'order.created', at(known))).toMatchObject(late);
    expect(await sentCount()).toBe(1);
    // Restored, and changed afterwards.
    const restored = at(hours(3)).replace('"total": "1234.50"', '"total": "99.00"');
    expect((await sendWoo(app, store, 'order.updated', restored)).state).toBe('done');
    expect(await sentCount()).toBe(2);
  });

  test('a clock that was far ahead and is right again delays nothing for more than a day', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.updated');
    await sendWoo(app, store, 'order.updated', at(hours(1_000)));
    await app.moveClock(25 * 3_600_000);
    onTestFinished(() => app.setClock(0));
    const later = at(hours(25)).replace('J\\u00fcrgen', 'Ada');
    expect((await sendWoo(app, store, 'order.updated', later)).state).toBe('done');
    expect(await onThePhone(app, shop)).toHaveLength(2);
    expect(await contactsOf(shop)).toMatchObject([{ firstname: 'Ada' }]);
  });

  test('an order whose deletion arrived first sends no message', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await sendWoo(app, store, 'order.deleted', '{"id":2147483999}');
    expect(await sendWoo(app, store, 'order.created', at(hours(2)))).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(/newer/),
    });
    expect(await onThePhone(app, shop)).toEqual([]);
  });
});

describe('two shops of WooCommerce that post to one address, such as a copy for tests,', () => {
  const host = 'https://staging.shop.example/';
  /** The order of the same id in the other shop, by another buyer. */
  const others = order
    .toString()
    .replace('https:\\/\\/shop.example\\/wp-json', 'https:\\/\\/staging.shop.example\\/wp-json')
    .replace('wc_order_aB3', 'wc_order_Zz9')
    .replace('09:15:07', '19:15:07')
    .replace('477 12 34', '477 12 35');
  const sendOther = (store: StoreRow, topic: string, body: string) =>
    sendPost(app, store, body, { ...wooHeaders(topic, body), 'x-wc-webhook-source': host });

  test('each send the message of their orders with the same id', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    expect(await sendOther(store, 'order.created', others)).toMatchObject({ state: 'done' });
    expect(await sendWoo(app, store, 'order.created', order)).toMatchObject({ reason: null });
    expect(await onThePhone(app, shop)).toHaveLength(2);
    const repeated = { reason: expect.stringMatching(/earlier post/) };
    expect(await sendOther(store, 'order.created', others)).toMatchObject(repeated);
    expect(await sendWoo(app, store, 'order.created', order)).toMatchObject(repeated);
  });

  test('send the text of an order once, if they post their orders in turn', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.updated');
    const saved = (body: string, seconds: number) => body.replace(/9:15:07/g, `9:15:1${seconds}`);
    for (const seconds of [1, 2]) {
      await sendWoo(app, store, 'order.updated', saved(order.toString(), seconds));
      await sendOther(store, 'order.updated', saved(others, seconds));
    }
    expect(await onThePhone(app, shop)).toHaveLength(2);
  });

  test.each(['order.created', 'order.updated'] as const)(
    'do not repeat the message of a post %s that was recorded without the shop',
    async (topic) => {
      const { shop, store } = await shopWithTemplate(app, topic);
      const saved = (seconds: number) => order.toString().replace(/9:15:07/g, `9:15:1${seconds}`);
      await sendWoo(app, store, topic, saved(1));
      await forgetShop(app, store);
      await sendOther(store, topic, others);
      expect(await sendWoo(app, store, topic, saved(2))).toMatchObject({
        reason: expect.stringMatching(/earlier post/),
      });
      expect(await onThePhone(app, shop)).toHaveLength(2);
    },
  );

  test('delete and change only their own orders', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    const { template } = (await topicActions(app.db, shop.id, store.id))['order.created'];
    await map(store, 'order.updated', { contact: { mode: 'none' }, template });
    await sendOther(store, 'order.updated', others);
    expect(await sendWoo(app, store, 'order.updated', order)).toMatchObject({ reason: null });
    await sendOther(store, 'order.deleted', '{"id":2147483999}');
    expect(await sendWoo(app, store, 'order.created', order)).toMatchObject({ reason: null });
    expect(await onThePhone(app, shop)).toHaveLength(3);
  });
});

describe('an order that was recorded without its shop, by an earlier release,', () => {
  const newer = { state: 'skipped', reason: expect.stringMatching(/newer/) };

  test('sends no message after its deletion', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await sendWoo(app, store, 'order.deleted', '{"id":2147483999}');
    await forgetShop(app, store);
    expect(await sendWoo(app, store, 'order.created', order)).toMatchObject(newer);
    expect(await onThePhone(app, shop)).toEqual([]);
  });

  test('keeps its newer state', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.updated');
    await sendWoo(app, store, 'order.updated', order);
    await forgetShop(app, store);
    const older = order.toString().replace('processing', 'pending').replace('09:15:07', '09:15:06');
    expect(await sendWoo(app, store, 'order.updated', older)).toMatchObject(newer);
    expect(await onThePhone(app, shop)).toHaveLength(1);
  });
});

test('an order whose posts do not name the shop sends no message after its deletion, which does', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.created');
  const unnamed = order.toString().replace('_links', '_other');
  await map(store, 'order.updated', { contact: { mode: 'upsert' } });
  await sendWoo(app, store, 'order.updated', unnamed);
  await sendWoo(app, store, 'order.deleted', '{"id":2147483999}');
  expect(await sendWoo(app, store, 'order.created', unnamed)).toMatchObject({
    state: 'skipped',
    reason: expect.stringMatching(/newer/),
  });
  expect(await onThePhone(app, shop)).toEqual([]);
});

describe('a skipped state counts like any other, so an older one that arrives later sends no message:', () => {
  const state = (time: string, status: string) =>
    order
      .toString()
      .replace('2026-11-02T09:15:07', `2026-11-02T${time}`)
      .replace('processing', status);

  test.each([
    ['without a phone', '0221 \\/ 477 12 34', /no billing phone/],
    ['without a field of the template', 'J\\u00fcrgen', /billing\.first_name/],
  ])('an order %s', async (_name, missing, reason) => {
    const { shop, store } = await shopWithTemplate(app, 'order.updated', {
      fields: [{ path: 'billing.first_name' }, { path: 'status' }, { path: 'number' }],
    });
    const newer = state('10:05:00', 'cancelled').replace(missing, '');
    expect(await sendWoo(app, store, 'order.updated', newer)).toMatchObject({
      state: 'skipped',
      reason: expect.stringMatching(reason),
    });
    expect(
      await sendWoo(app, store, 'order.updated', state('10:00:00', 'processing')),
    ).toMatchObject({ state: 'skipped', reason: expect.stringMatching(/newer/) });
    expect(await onThePhone(app, shop)).toEqual([]);
  });

  test('a deletion, which has no buyer', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created');
    await map(store, 'order.deleted', { contact: { mode: 'upsert' } });
    expect(
      await sendWoo(app, store, 'order.deleted', fixture('woocommerce-order-deleted.json')),
    ).toMatchObject({
      state: 'skipped',
      reason: 'Posts of the topic order.deleted have no phone.',
    });
    expect(await sendWoo(app, store, 'order.created', order)).toMatchObject({ state: 'skipped' });
    expect(await onThePhone(app, shop)).toEqual([]);
  });
});

test('an event that a dead process had claimed is processed when its lease expires', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop);
  await stopProcessing();
  await post(app, store, order, wooHeaders('order.created', order));
  await app.db.pool.query(
    `update store_events set attempts = 1, due_at = now() + interval '1 minute' where store_id = $1`,
    [store.id],
  );
  stopProcessing = processPosts(app);
  const later = await sendWoo(app, await testStore(app, shop), 'order.created', order);
  expect(later).toMatchObject({ state: 'done' });
  expect(await eventsOf(app, store)).toMatchObject([{ state: 'waiting' }]);
  await app.setClock(61_000);
  const event = await eventually(async () => (await eventsOf(app, store)).find(settled));
  await app.setClock(0);
  expect(event).toMatchObject({ state: 'done', attempts: 2 });
});

test('an event that a slow process has claimed stays claimed', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop);
  await stopProcessing();
  await post(app, store, order, wooHeaders('order.created', order));
  const lease = async () => {
    const { rows } = await app.db.pool.query(
      'select due_at, attempts from store_events where store_id = $1',
      [store.id],
    );
    return rows[0] as { due_at: Date; attempts: number };
  };
  const holdUp = await holdLocks(app, 'lock table contacts in share mode');
  stopProcessing = processPosts(app);
  const first = await eventually(async () => {
    const now = await lease();
    return now.attempts === 1 && now;
  });
  await eventually(async () => (await lease()).due_at > first.due_at);
  await holdUp.query('commit');
  const event = await eventually(async () => (await eventsOf(app, store)).find(settled));
  expect(event).toMatchObject({ state: 'done', attempts: 1 });
});

describe('with a plan from an empty table, on a large table,', () => {
  const timing = { leaseMs: 1 };
  const event = { tenant_id: 1, store_id: 1, id: 1, attempts: 1 } as ClaimedEvent;
  const settlement = { tenantId: 1, storeId: 1, id: 1, attempts: 1, state: 'done' } as Settlement;

  test.each<[string, (db: Db) => Promise<unknown>]>([
    ['a claim', (db) => claimStoreEvents(db, [{ tenantId: 1, limit: 2 }], timing)],
    ['a renewal', (db) => renewLeases(db, storeEventQueue, [event], timing)],
    ['a settlement', (db) => settleStoreEvents(db, [settlement])],
    ['a link to a message', (db) => linkMessage(db, event, { messageId: 1, contactId: null })],
  ])('%s reads only its own events, not others of the store', async (_name, run) => {
    const plan = await planOf(app, run);
    expect(plan).toMatch(/store_events_pkey on store_events.*\s+Index Cond: .*\(?\bid = /);
    expect(plan).not.toMatch(/Seq Scan|store_events_dedup|Sort Key: store_events\.due_at/);
  });

  test('a claim finds the due events in their order', async () => {
    const plan = await planOf(app, (db) =>
      claimStoreEvents(db, [{ tenantId: 1, limit: 2 }], timing),
    );
    expect(plan).toMatch(
      /store_events_due_of_store on store_events.*\s+Index Cond: .*store_id = .*due_at <= /,
    );
  });
});

function map(store: StoreRow, topic: Topic, action: TopicAction) {
  return mapTopic(app.db, store.tenant_id, store.id, topic, action);
}
