import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  contactsOf,
  processPosts,
  sendCustom,
  sendShopify,
  sendWoo,
  shopWithTemplate,
} from '../../../test/features/stores.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { onThePhone } from '../../../test/servers/phone.ts';
import type { FieldSource } from '../schema.ts';

const app = testApp();
let stopProcessing: () => Promise<void>;

beforeAll(() => {
  stopProcessing = processPosts(app);
});
afterAll(() => stopProcessing());

const fields: FieldSource[] = [
  { path: 'buyer.first_name', default: 'friend' },
  { path: 'id' },
  { path: 'buyer.city', default: 'you' },
];
const ann = { first_name: 'Ann', last_name: 'Payer', phone: '(574) 217-2009', city: 'Granger' };
const bob = { first_name: 'Bob', last_name: 'Recipient', phone: '(574) 217-2001', city: 'Gary' };
const annsContact = {
  firstname: 'Ann',
  lastname: 'Payer',
  email: 'ann@example.com',
  phone: '+15742172009',
  company: null,
  city: 'Granger',
};

describe('an order of WooCommerce takes every field from the billing address:', () => {
  const shipping = { ...bob, company: 'Bob Ltd', country: 'US' };
  const billing = { ...ann, company: '', country: 'US', email: 'ann@example.com' };
  const order = (changes: object, to: object = shipping) =>
    JSON.stringify({
      id: 8001,
      customer_id: 7,
      total: '33.30',
      billing: { ...billing, ...changes },
      shipping: to,
      line_items: [],
    });

  test('a gift creates the contact of the buyer, who also gets the message', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', { fields });
    expect(await sendWoo(app, store, 'order.created', order({}))).toMatchObject({ state: 'done' });
    expect(await contactsOf(shop)).toMatchObject([annsContact]);
    expect(await messagesOf(shop)).toEqual([['+15742172009', message('Ann', '8001', 'Granger')]]);
  });

  test.each([
    ['an empty phone', { phone: '' }, 'The order has no billing phone.'],
    ['an unusable phone', { phone: '123' }, 'The billing phone "123" is not a valid US number.'],
    ['a last name only', { first_name: '', phone: '' }, 'The order has no billing phone.'],
    ['a first name only', { last_name: '', phone: '' }, 'The order has no billing phone.'],
    [
      'a company only',
      { first_name: '', last_name: '', email: '', phone: '', company: 'Payer Inc' },
      'The order has no billing phone.',
    ],
    [
      'an email address only',
      { first_name: '', last_name: '', phone: '' },
      'The order has no billing phone.',
    ],
  ])(
    'a billing address with %s is skipped, whatever the shipping address is',
    async (_, changes, reason) => {
      const { shop, store } = await shopWithTemplate(app, 'order.created', { fields });
      const known = { firstname: 'Bob', lastname: 'Recipient', email: 'bob@example.com' };
      await shop.call('POST', '/contacts', { ...known, phone: '+15742172001' });
      const before = await contactsOf(shop);
      for (const to of [shipping, { ...billing, ...changes, phone: bob.phone }]) {
        const event = await sendWoo(app, store, 'order.created', order(changes, to));
        expect(event).toMatchObject({
          state: 'skipped',
          reason,
          contact_id: null,
          message_id: null,
        });
      }
      expect(await contactsOf(shop)).toEqual(before);
      expect(await messagesOf(shop)).toEqual([]);
    },
  );

  test.each([
    ['last', { first_name: '' }, { firstname: 'Payer', lastname: null }],
    ['first', { last_name: '' }, { firstname: 'Ann', lastname: null }],
    ['neither', { first_name: '', last_name: '' }, { firstname: '+15742172009', lastname: null }],
  ])(
    'a billing address with the %s name is not completed from the recipient',
    async (_, changes, names) => {
      const { shop, store } = await shopWithTemplate(app, 'order.created', { fields });
      await sendWoo(app, store, 'order.created', order(changes));
      expect(await contactsOf(shop)).toMatchObject([{ ...annsContact, ...names }]);
    },
  );

  test('if it is empty, every field comes from the shipping address', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', { fields });
    const empty = { first_name: '', last_name: '', email: '', phone: '', city: '', country: 'US' };
    await sendWoo(app, store, 'order.created', order(empty));
    expect(await contactsOf(shop)).toMatchObject([
      {
        firstname: 'Bob',
        lastname: 'Recipient',
        email: null,
        phone: '+15742172001',
        company: 'Bob Ltd',
        city: 'Gary',
      },
    ]);
    const unusable = order(empty, { ...shipping, phone: '123' });
    expect(await sendWoo(app, store, 'order.created', unusable)).toMatchObject({
      reason: 'The shipping phone "123" is not a valid US number.',
    });
  });
});

describe('a customer of WooCommerce is the person of the account,', () => {
  const account = { id: 12, username: 'ann', email: 'ann@example.com', ...ann, phone: undefined };
  const empty = { first_name: '', last_name: '', phone: '' };
  const customer = (billing: object, shipping: object) =>
    JSON.stringify({ ...account, billing, shipping });

  test.each([
    ['its billing address', { ...ann, country: 'US' }, { ...bob, country: 'US' }],
    ['an unnamed billing address', { ...ann, ...empty, phone: ann.phone, country: 'US' }, {}],
    ['the shipping address if that is empty', empty, { ...ann, country: 'US' }],
  ])('with %s', async (_, billing, shipping) => {
    const { shop, store } = await shopWithTemplate(app, 'customer.created', { fields });
    await sendWoo(app, store, 'customer.created', customer(billing, shipping));
    expect(await contactsOf(shop)).toMatchObject([annsContact]);
  });

  test.each([
    ['billing', { ...bob, country: 'US' }, {}],
    ['shipping', empty, { ...bob, country: 'US' }],
  ])('never with a %s address of somebody else', async (_, billing, shipping) => {
    const { shop, store } = await shopWithTemplate(app, 'customer.created', { fields });
    const event = await sendWoo(app, store, 'customer.created', customer(billing, shipping));
    expect(event).toMatchObject({ state: 'skipped', reason: 'The customer has no phone.' });
    expect(await contactsOf(shop)).toEqual([]);
    expect(await messagesOf(shop)).toEqual([]);
  });
});

describe('an order of Shopify takes every field from the customer:', () => {
  const { phone, city: _, ...name } = ann;
  const customer = { id: 5, ...name, phone: null, state: 'enabled', email: 'ann@example.com' };
  const billing_address = { ...ann, company: null, country_code: 'US' };
  const shipping_address = { ...bob, company: 'Bob Ltd', country_code: 'US' };
  const order = (changes: object) =>
    Buffer.from(
      JSON.stringify({
        id: 8002,
        email: 'ann@example.com',
        phone: null,
        total_price: '33.30',
        customer,
        billing_address,
        shipping_address,
        ...changes,
      }),
    );
  const shopify = { platform: 'shopify', fields };

  test.each<[string, object]>([
    ['the billing address', {}],
    [
      'the billing address under another spelling',
      {
        billing_address: { ...billing_address, first_name: 'ANN' },
      },
    ],
    ['an unnamed customer', { customer: null }],
    [
      'the contact details',
      {
        phone: '+15742172009',
        billing_address: { ...billing_address, phone: '123' },
      },
    ],
    [
      'the customer',
      {
        customer: { ...customer, phone: '+15742172009' },
        billing_address: { ...billing_address, phone: null },
      },
    ],
    [
      'the default address',
      {
        billing_address: null,
        customer: {
          ...customer,
          default_address: { ...billing_address, first_name: null, last_name: null },
        },
      },
    ],
  ])('a gift with a phone of %s', async (_name, changes) => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', shopify);
    await sendShopify(app, store, 'orders/create', order(changes));
    expect(await contactsOf(shop)).toMatchObject([annsContact]);
    expect(await messagesOf(shop)).toEqual([['+15742172009', message('Ann', '8002', 'Granger')]]);
  });

  test.each([
    ['Işıl', 'IŞIL'],
    ['İsmail', 'İSMAİL'],
    ['Weiß', 'WEISS'],
    ['Μαρία', 'ΜΑΡΙΑ'],
  ])('%s and %s in the billing address are one person', async (first_name, inCapitals) => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', shopify);
    const spelled = order({
      customer: { ...customer, first_name },
      billing_address: { ...billing_address, first_name: inCapitals },
    });
    await sendShopify(app, store, 'orders/create', spelled);
    expect(await contactsOf(shop)).toMatchObject([{ ...annsContact, firstname: first_name }]);
  });

  const noPhone = 'The order has no phone of the customer.';
  const phoneless = { ...billing_address, phone: null };
  test.each<[string, object, string]>([
    ['no phone', { billing_address: phoneless }, noPhone],
    [
      'an unusable billing phone',
      { billing_address: { ...billing_address, phone: '123' } },
      'The billing phone "123" is not a valid US number.',
    ],
    [
      'a phone of the same name in the shipping address only',
      { billing_address: phoneless, shipping_address: { ...shipping_address, ...ann, phone } },
      noPhone,
    ],
    ['a billing address of somebody else', { billing_address: shipping_address }, noPhone],
    [
      'a default address of the last recipient',
      {
        billing_address: phoneless,
        customer: { ...customer, default_address: shipping_address },
      },
      noPhone,
    ],
    ['an email address only', { customer: null, billing_address: null }, noPhone],
  ])('an order with %s is skipped', async (_name, changes, reason) => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', shopify);
    const known = { firstname: 'Bob', lastname: 'Recipient', email: 'bob@example.com' };
    await shop.call('POST', '/contacts', { ...known, phone: '+15742172001' });
    const before = await contactsOf(shop);
    const event = await sendShopify(app, store, 'orders/create', order(changes));
    expect(event).toMatchObject({ state: 'skipped', reason, contact_id: null, message_id: null });
    expect(await contactsOf(shop)).toEqual(before);
    expect(await messagesOf(shop)).toEqual([]);
  });

  test('if nothing names the customer, every field comes from the shipping address', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', shopify);
    const nobody = { email: '', customer: null, billing_address: null };
    await sendShopify(app, store, 'orders/create', order(nobody));
    expect(await contactsOf(shop)).toMatchObject([
      { firstname: 'Bob', lastname: 'Recipient', email: null, company: 'Bob Ltd', city: 'Gary' },
    ]);
  });

  test('a new customer never gets the phone from a default address of somebody else', async () => {
    const { shop, store } = await shopWithTemplate(app, 'customer.created', shopify);
    const created = { ...customer, default_address: shipping_address };
    const event = await sendShopify(
      app,
      store,
      'customers/create',
      Buffer.from(JSON.stringify(created)),
    );
    expect(event).toMatchObject({ state: 'skipped', reason: 'The customer has no phone.' });
    expect(await contactsOf(shop)).toEqual([]);
  });
});

describe('an order of a custom store', () => {
  const custom = { platform: 'custom', fields };
  const email = 'ann@example.com';

  test.each<[string, object]>([
    ['under customer', { customer: { ...ann, email, country: 'US' }, billing: bob }],
    ['under billing', { billing: { ...ann, email, country: 'US' } }],
    ['beside the id', { ...ann, email, country: 'US' }],
    [
      'in several places',
      { country: 'US', phone: ann.phone, email, billing: { ...ann, phone: '' } },
    ],
  ])('takes every field from the buyer %s', async (_, body) => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', custom);
    await sendCustom(app, store, 'order.created', JSON.stringify({ id: 'a1', ...body }));
    expect(await contactsOf(shop)).toMatchObject([annsContact]);
  });

  test('never takes a phone from a part that names somebody else', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', custom);
    const body = { id: 'a1', customer: { ...ann, phone: '' }, billing: { ...bob, country: 'US' } };
    const event = await sendCustom(app, store, 'order.created', JSON.stringify(body));
    const reason = 'The payload has no phone of the buyer.';
    expect(event).toMatchObject({ state: 'skipped', reason });
    expect(await contactsOf(shop)).toEqual([]);
  });

  test('can have its own field `buyer`, which templates can use', async () => {
    const { shop, store } = await shopWithTemplate(app, 'order.created', custom);
    const body = {
      id: 'a1',
      ...ann,
      country: 'US',
      buyer: { first_name: 'Dr. Payer', city: 'Rome' },
    };
    await sendCustom(app, store, 'order.created', JSON.stringify(body));
    expect(await messagesOf(shop)).toEqual([['+15742172009', message('Dr. Payer', 'a1', 'Rome')]]);
  });
});

test('templates can use the shipping fields under their own names', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.created', {
    fields: [{ path: 'buyer.first_name' }, { path: 'id' }, { path: 'shipping.first_name' }],
  });
  const body = { id: 7, billing: { ...ann, country: 'US' }, shipping: bob };
  await sendWoo(app, store, 'order.created', JSON.stringify(body));
  expect(await messagesOf(shop)).toEqual([['+15742172009', message('Ann', '7', 'Bob')]]);
});

/** The phone and the text of each message on the simulated phones. */
async function messagesOf(shop: TestTenant): Promise<[phone: string, text: string][]> {
  const messages = await onThePhone(app, shop);
  return messages.map(({ phone, rendered }) => [`+${phone}`, rendered.body]);
}

function message(name: string, id: string, city: string): string {
  return `Hello ${name}, your order ${id} has left our warehouse and should reach you on ${city}.`;
}
