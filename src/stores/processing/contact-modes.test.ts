import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdLocks, lockWaiters } from '../../../test/database/locks.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import {
  contactsOf,
  processPosts,
  sendCustom,
  sendShopify,
  sendWoo,
  testStore,
} from '../../../test/features/stores.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { upsertContact } from '../../contacts/writing/upsert-contact.ts';
import { setWebhook } from '../../webhooks/set-webhook.ts';
import { mapTopic } from '../map-topic.ts';
import type { StoreRow } from '../queries.ts';
import type { ContactMode } from '../schema.ts';

const app = testApp();
let stopProcessing: () => Promise<void>;

beforeAll(() => {
  stopProcessing = processPosts(app);
});
afterAll(() => stopProcessing());

const phone = '+15742172001';
const boss = {
  firstname: 'Boss',
  lastname: 'Custom',
  email: 'boss@example.com',
  company: 'Boss Inc',
  city: 'Rome',
};
const buyer = {
  first_name: 'Seq',
  last_name: 'Buyer',
  email: 'seq@example.com',
  company: 'Seq Ltd',
  city: 'Granger',
};
const buyersFields = {
  firstname: 'Seq',
  lastname: 'Buyer',
  email: 'seq@example.com',
  company: 'Seq Ltd',
  city: 'Granger',
};

describe('the contact of an order by a guest', () => {
  test('keeps what staff wrote, and gets only what is empty', async () => {
    const { shop, store } = await shopWithContact(boss);
    const before = await contactsOf(shop);
    expect(await sendWoo(app, store, 'order.created', order())).toMatchObject({
      state: 'done',
      contact_id: before[0].id,
    });
    expect(await contactsOf(shop)).toEqual(before);

    await shop.call('PUT', `/contacts/${before[0].id}`, { email: null, city: null });
    await sendWoo(app, store, 'order.updated', order({ id: 2 }));
    expect(await contactsOf(shop)).toMatchObject([
      { ...boss, email: 'seq@example.com', city: 'Granger' },
    ]);
  });

  test.each([
    ['of its own', { firstname: 'Boss' }, { firstname: 'Boss', lastname: null }],
    ['that is its phone', { firstname: phone }, { firstname: 'Seq', lastname: 'Buyer' }],
    [
      'that is the first name of the buyer',
      { firstname: 'seq' },
      { firstname: 'seq', lastname: 'Buyer' },
    ],
  ])('with a first name %s is never given half of another name', async (_, known, names) => {
    const { shop, store } = await shopWithContact(known);
    await sendWoo(app, store, 'order.created', order());
    expect(await contactsOf(shop)).toMatchObject([{ ...buyersFields, ...names }]);
  });

  test('is created with every field if nobody has the phone', async () => {
    const shop = await app.tenant();
    await sendWoo(app, await testStore(app, shop), 'order.created', order());
    expect(await contactsOf(shop)).toMatchObject([{ ...buyersFields, phone }]);
  });

  test.each<[string, object]>([
    ['WooCommerce, without customer id', { customer_id: undefined }],
    ['WooCommerce, with the id as text', { customer_id: '0' }],
  ])('only gets its empty fields filled by an order of %s', async (_, changes) => {
    const { shop, store } = await shopWithContact(boss);
    await sendWoo(app, store, 'order.created', order(changes));
    expect(await contactsOf(shop)).toMatchObject([boss]);
  });

  test.each<[string, object | null]>([
    ['no account yet', { state: 'disabled' }],
    ['only an invitation', { state: 'invited' }],
    ['declined the account', { state: 'declined' }],
    ['no state', {}],
    ['no customer at all', null],
  ])('only gets its empty fields filled by an order of Shopify with %s', async (_, customer) => {
    const { shop, store } = await shopWithContact(boss, 'shopify');
    await sendShopify(app, store, 'orders/create', shopifyOrder(customer));
    const created = { id: 9, ...buyer, ...customer, phone };
    await sendShopify(app, store, 'customers/create', Buffer.from(JSON.stringify(created)));
    expect(await contactsOf(shop)).toMatchObject([boss]);
  });

  test('only gets its empty fields filled by an order of a custom store that is marked as a guest order', async () => {
    const { shop, store } = await shopWithContact(boss, 'custom');
    const body = { id: 'a1', customer: { ...buyer, phone } };
    await sendCustom(app, store, 'order.created', JSON.stringify({ ...body, guest: true }));
    expect(await contactsOf(shop)).toMatchObject([boss]);
    await sendCustom(app, store, 'order.updated', JSON.stringify({ ...body, guest: false }));
    expect(await contactsOf(shop)).toMatchObject([buyersFields]);
  });
});

describe('the contact of a customer with an account', () => {
  test.each<[string, string, (store: StoreRow) => Promise<unknown>]>([
    [
      'an order of WooCommerce',
      'woocommerce',
      (store) => sendWoo(app, store, 'order.created', order({ customer_id: 7 })),
    ],
    [
      'a customer of WooCommerce',
      'woocommerce',
      (store) => {
        const { first_name, last_name, email } = buyer;
        const body = { id: 9, first_name, last_name, email, billing: { ...buyer, phone } };
        return sendWoo(app, store, 'customer.created', JSON.stringify(body));
      },
    ],
    [
      'an order of Shopify',
      'shopify',
      (store) => sendShopify(app, store, 'orders/create', shopifyOrder({ state: 'enabled' })),
    ],
  ])('is updated by %s', async (_, platform, send) => {
    const { shop, store } = await shopWithContact(boss, platform);
    await send(store);
    expect(await contactsOf(shop)).toMatchObject([buyersFields]);
  });

  test.each([
    ['replaces the whole name', { first_name: 'Seq', last_name: '' }, ['Seq', null]],
    [
      'that is part of it keeps the name',
      { first_name: 'boss', last_name: '' },
      ['Boss', 'Custom'],
    ],
    [
      'that is the last one keeps the name',
      { first_name: '', last_name: 'custom' },
      ['Boss', 'Custom'],
    ],
    ['that is missing keeps the name', { first_name: '', last_name: '' }, ['Boss', 'Custom']],
  ])('a single name %s', async (_, name, [firstname, lastname]) => {
    const { shop, store } = await shopWithContact(boss);
    await sendWoo(app, store, 'order.created', order({ customer_id: 7 }, name));
    expect(await contactsOf(shop)).toMatchObject([{ ...buyersFields, firstname, lastname }]);
  });
});

test.each([
  ['in capitals with a dotless i', 'Işıl', 'IŞIL'],
  ['in capitals with a dotted I', 'İsmail', 'İSMAİL'],
  ['in capitals without ß', 'Weiß', 'WEISS'],
  ['in capitals without accents', 'Μαρία', 'ΜΑΡΙΑ'],
  ['in decomposed characters', 'José', 'José'.normalize('NFD')],
])(
  'a first name %s is the name of the contact, which keeps its last name',
  async (_, firstname, first_name) => {
    const { shop, store } = await shopWithContact({ ...boss, firstname });
    const name = { first_name, last_name: '' };
    await sendWoo(app, store, 'order.created', order({ customer_id: 7 }, name));
    expect(await contactsOf(shop)).toMatchObject([
      { firstname, lastname: 'Custom', city: 'Granger' },
    ]);
    const filled = await shopWithContact({ firstname });
    await sendWoo(app, filled.store, 'order.created', order({}, { first_name, last_name: 'Kaya' }));
    expect(await contactsOf(filled.shop)).toMatchObject([{ firstname, lastname: 'Kaya' }]);
  },
);

describe('a mode that is set for a topic holds for guests and customers:', () => {
  test.each<[ContactMode, object]>([
    ['upsert', buyersFields],
    ['fill', boss],
    ['none', boss],
  ])('%s', async (mode, expected) => {
    for (const customer_id of [0, 7]) {
      const { shop, store } = await shopWithContact(boss);
      await map(store, mode);
      await sendWoo(app, store, 'order.created', order({ customer_id }));
      expect(await contactsOf(shop)).toMatchObject([expected]);
    }
  });

  test('automatic, which is the default', async () => {
    const { shop, store } = await shopWithContact(boss);
    await map(store, 'automatic');
    await sendWoo(app, store, 'order.created', order());
    expect(await contactsOf(shop)).toMatchObject([boss]);
    await sendWoo(app, store, 'order.created', order({ id: 2, customer_id: 7 }));
    expect(await contactsOf(shop)).toMatchObject([buyersFields]);
  });

  test('an unknown mode is refused', async () => {
    const { shop, store } = await shopWithContact(boss);
    const member = await signIn(app, shop);
    const path = `/stores/${store.id}/topics/order.created`;
    const { status, body } = await member.call('PUT', path, { contact: { mode: 'replace' } });
    expect([status, body.errors]).toEqual([
      422,
      { 'contact.mode': ['must be one of automatic, upsert, fill, none'] },
    ]);
  });
});

test('a filled contact has its labels, a later updated_at and one event; an unchanged one nothing', async () => {
  const { shop, store } = await shopWithContact({ firstname: 'Boss' });
  const source = (await shop.call('POST', '/sources', { name: 'Web shop' })).body.data.id;
  const group = (await shop.call('POST', '/groups', { name: 'Buyers' })).body.data.id;
  // A label that is deleted, and still to be taken off its contacts, counts as none.
  const old = (await shop.call('POST', '/sources', { name: 'Old' })).body.data.id;
  const [{ id }] = await contactsOf(shop);
  await shop.call('PUT', `/contacts/${id}`, { source_id: old });
  await shop.call('DELETE', `/sources/${old}`);
  const count = (await updatesOf(shop)).length;
  await map(store, 'fill', { source_id: source, group_ids: [group] });
  const [before] = await contactsOf(shop);
  await sendWoo(app, store, 'order.created', order());
  const [filled] = await contactsOf(shop);
  expect(filled).toMatchObject({ email: buyer.email, source_id: source, group_ids: [group] });
  expect(Date.parse(filled.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  expect((await updatesOf(shop)).slice(count)).toEqual([filled]);

  await sendWoo(app, store, 'order.updated', order({ status: 'completed' }));
  await sendWoo(app, store, 'order.created', order({ id: 2 }, { email: 'other@example.com' }));
  expect(await contactsOf(shop)).toEqual([filled]);
  expect(await updatesOf(shop)).toHaveLength(count + 1);
});

test('two orders at once for one phone fill each field once', async () => {
  const { shop } = await shopWithContact({ firstname: 'Boss' });
  const holder = await holdLocks(app, 'select from contacts where tenant_id = $1 for update', [
    shop.id,
  ]);
  const fill = (fields: object) => upsertContact(app.db, shop.id, { phone, ...fields }, 'fill');
  const first = fill({ email: 'one@example.com', city: 'One' });
  await lockWaiters(app);
  const second = fill({ email: 'two@example.com', city: 'Two', company: 'Two Ltd' });
  const third = fill({ email: 'three@example.com' });
  await lockWaiters(app, { count: 3 });
  await holder.query('commit');
  const outcomes = await Promise.all([first, second, third]);
  const [contact] = await contactsOf(shop);
  expect(contact).toMatchObject({ firstname: 'Boss', company: 'Two Ltd' });
  expect([
    ['one@example.com', 'One'],
    ['two@example.com', 'Two'],
    ['three@example.com', 'One'],
    ['three@example.com', 'Two'],
  ]).toContainEqual([contact.email, contact.city]);
  const updates = await updatesOf(shop);
  expect(updates).toHaveLength(outcomes.filter(({ outcome }) => outcome === 'updated').length);
  expect(updates.at(-1)).toEqual(contact);
  for (const { email, city } of updates) {
    expect([null, contact.email]).toContain(email);
    expect([null, contact.city]).toContain(city);
  }
});

/** A guest's order of WooCommerce with the phone of the contact. */
function order(changes: object = {}, billing: object = {}): string {
  return JSON.stringify({
    id: 1,
    customer_id: 0,
    total: '33.30',
    billing: { ...buyer, phone, ...billing },
    ...changes,
  });
}

function shopifyOrder(customer: object | null): Buffer {
  const { first_name, last_name, email } = buyer;
  return Buffer.from(
    JSON.stringify({
      id: 1,
      total_price: '33.30',
      email,
      customer: customer && { id: 5, first_name, last_name, email, ...customer },
      billing_address: { ...buyer, email: undefined, phone },
    }),
  );
}

/** A tenant with a contact, a store, and a webhook for changes of contacts. */
async function shopWithContact(fields: object, platform = 'woocommerce') {
  const shop = await app.tenant({ number: false });
  await setWebhook(app.services, shop.id, {
    url: 'https://shop.test/hook',
    events: ['contact.updated'],
  });
  await shop.call('POST', '/contacts', { ...fields, phone });
  return { shop, store: await testStore(app, shop, { platform }) };
}

function map(store: StoreRow, mode: ContactMode, labels: object = {}) {
  const contact = { mode, ...labels };
  return mapTopic(app.db, store.tenant_id, store.id, 'order.created', { contact });
}

/** The contact of each `contact.updated`, the oldest first. */
async function updatesOf(shop: TestTenant) {
  const { rows } = await app.db.query<{ body: string }>(sql`
    select body from deliveries where tenant_id = ${shop.id} order by created_at, id`);
  return rows.map(({ body }) => JSON.parse(body).data);
}
