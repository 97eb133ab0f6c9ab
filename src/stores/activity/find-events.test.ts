import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import {
  fixture,
  processPosts,
  sendShopify,
  sendWoo,
  shopWithTemplate,
  testStore,
} from '../../../test/features/stores.ts';
import { testApp } from '../../../test/program/app.ts';
import { misbehave } from '../../../test/servers/control.ts';
import { type Settlement, settleStoreEvents } from '../processing/settle-events.ts';

const app = testApp();
const order = fixture('woocommerce-order.json').toString();
let stopProcessing: () => Promise<void>;

beforeAll(() => {
  stopProcessing = processPosts(app);
});
afterAll(() => stopProcessing());

test('an event is found by the number of its order and by the phone of its buyer', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop, { country: 'DE' });
  await sendWoo(app, store, 'order.created', order);
  const other = order.replace('"1042"', '"1043"').replace('477 12 34', '477 12 35');
  await sendWoo(app, store, 'order.created', other.replace('2147483999', '2147484000'));
  const member = await signIn(app, shop);
  const found = async (search: string, id = store.id) => {
    const path = `/stores/${id}/events?search=${encodeURIComponent(search)}`;
    return (await member.call('GET', path)).body.data.events;
  };
  const [event] = await found('1042');
  expect(event).toMatchObject({
    resource_number: '1042',
    phone: '+492214771234',
    sends_again: false,
  });
  for (const search of ['#1042', ' 1042 ', '+49 221 4771234', '0221/4771234']) {
    expect(await found(search)).toEqual([event]);
  }
  for (const search of ['104', '+492214771236', '%']) expect(await found(search)).toEqual([]);
  expect(await found(' ')).toHaveLength(2);

  const shopify = await testStore(app, shop, { platform: 'shopify' });
  await sendShopify(app, shopify, 'orders/create', fixture('shopify-order.json'));
  const [{ resource_number }] = await found('', shopify.id);
  expect(resource_number).toMatch(/^#/);
  expect(await found(resource_number.slice(1), shopify.id)).toMatchObject([{ resource_number }]);
});

test('an event is still found after an attempt that ended before its post was read', async () => {
  const shop = await app.tenant();
  const store = await testStore(app, shop);
  const { id, attempts } = await sendWoo(app, store, 'order.created', order);
  const interrupted: Settlement = {
    tenantId: shop.id,
    storeId: store.id,
    id,
    attempts,
    state: 'failed',
    reason: null,
    contactId: null,
    resourceNumber: null,
    phone: null,
    retryInMs: null,
    messagesSent: 0,
  };
  await settleStoreEvents(app.db, [interrupted]);
  const member = await signIn(app, shop);
  const { body } = await member.call('GET', `/stores/${store.id}/events?search=1042`);
  expect(body.data.events).toMatchObject([{ id, state: 'failed', phone: '+492214771234' }]);
});

test('an event whose message failed later has the reason', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.created');
  await misbehave(app, shop, { failWith: 131026 });
  const sent = await sendWoo(app, store, 'order.created', order);
  const member = await signIn(app, shop);
  const event = await eventually(async () => {
    const [first] = (await member.call('GET', `/stores/${store.id}/events`)).body.data.events;
    return first.message_failure && first;
  });
  expect(event).toMatchObject({
    id: sent.id,
    state: 'done',
    sends_again: true,
    message_failure: expect.stringMatching(/WhatsApp/),
    message_failure_says: { code: 'network_problem' },
  });
});
