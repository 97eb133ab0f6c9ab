import { afterAll, beforeAll, expect, test } from 'vitest';
import { signIn } from '../../../test/features/sign-in.ts';
import { fixture, processPosts, sendWoo, shopWithTemplate } from '../../../test/features/stores.ts';
import { testApp } from '../../../test/program/app.ts';
import { connectTestNumber, control } from '../../../test/servers/control.ts';
import { onThePhone, writeTo } from '../../../test/servers/phone.ts';
import { disconnectNumber } from '../../numbers/connecting/disconnect-number.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import { setDefaultNumber } from '../../numbers/queries.ts';
import { cacheTtlMs } from '../../platform/concurrency/ttl-cache.ts';
import { createTemplateFinder } from '../../templates/find-sendable-template.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';
import { topicActions } from '../map-topic.ts';
import { findStore } from '../queries.ts';
import { checkTopic } from './check-topic.ts';

const app = testApp({ PARLEY_STORE_SCHEDULE: '0.2,0.2' });
const order = fixture('woocommerce-order.json');
let stopProcessing: () => Promise<void>;

beforeAll(() => {
  stopProcessing = processPosts(app);
});
afterAll(() => stopProcessing());

/** Creates a store whose orders cause a message, and a second number in the account of the first. */
async function storeWithTwo() {
  const made = await shopWithTemplate(app, 'order.created');
  const { business_account_id } = made.shop.number;
  const second = await connectTestNumber(app, made.shop.id, { business_account_id });
  // Other processes know a number within a second.
  await new Promise((resolve) => setTimeout(resolve, cacheTtlMs));
  const sendersOf = async () => {
    const all = await Promise.all(
      [made.shop.number, second].map((number) => onThePhone(app, { ...made.shop, number })),
    );
    return all.map((messages) => messages.filter((each) => each.direction === 'outbound').length);
  };
  return { ...made, second, sendersOf };
}

test('a message for an order is sent from the number of the latest message with the buyer', async () => {
  const { shop, store, second, sendersOf } = await storeWithTwo();
  await sendWoo(app, store, 'order.created', order);
  expect(await sendersOf()).toEqual([1, 0]);
  const [{ phone }] = await onThePhone(app, shop);
  await writeTo(app, second, `+${phone}`, 'Hello');
  const another = order.toString().replace(/"id": ?\d+/, '"id": 99999');
  await sendWoo(app, store, 'order.created', another);
  expect(await sendersOf()).toEqual([1, 1]);
});

test('a message goes out from an account that has its template, also to a buyer who wrote to another account', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.created');
  const support = await connectTestNumber(app, shop.id);
  await control(app, 'PATCH', '/simulator/templates', {
    business_account_id: support.business_account_id,
    name: 'order_update',
    language: 'en',
    status: 'PAUSED',
  });
  await syncTemplates(app.services, shop.id);
  await new Promise((resolve) => setTimeout(resolve, cacheTtlMs));
  await writeTo(app, support, '+492214771234', 'Hello');
  expect(await sendWoo(app, store, 'order.created', order)).toMatchObject({ reason: null });
  expect(await onThePhone(app, shop)).toHaveLength(1);

  // The default number need not be the one with the template.
  await setDefaultNumber(app.db, shop.id, support.id);
  await new Promise((resolve) => setTimeout(resolve, cacheTtlMs));
  const { template } = (await topicActions(app.db, shop.id, store.id))['order.created'];
  const numbers = createNumberFinder(app.services);
  const finders = { numbers, findTemplate: createTemplateFinder({ ...app.services, numbers }) };
  await checkTopic(finders, store, 'order.created', { contact: { mode: 'none' }, template });
  const another = order.toString().replace(/"id": ?\d+/, '"id": 99999');
  expect(await sendWoo(app, store, 'order.created', another)).toMatchObject({ reason: null });
  expect(await onThePhone(app, shop)).toHaveLength(2);
});

test('an owner chooses the number of a store; it sends whatever the buyer wrote to', async () => {
  const { shop, store, second, sendersOf } = await storeWithTwo();
  const [owner, stranger] = [await signIn(app, shop), await app.tenant()];
  const choose = (number_id: unknown) => owner.call('PUT', `/stores/${store.id}`, { number_id });
  expect((await choose(second.id)).status).toBe(200);
  expect((await owner.call('GET', `/stores/${store.id}`)).body.data.store.number_id).toBe(
    second.id,
  );
  await sendWoo(app, store, 'order.created', order);
  expect(await sendersOf()).toEqual([0, 1]);

  const refused = await choose(stranger.number.id);
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    { number_id: [`is not a connected number of this tenant: ${stranger.number.id}`] },
  ]);
  const staff = await signIn(app, shop, 'staff');
  const byStaff = await staff.call('PUT', `/stores/${store.id}`, { number_id: null });
  expect(byStaff.status).toBe(403);
  const byOther = await (await signIn(app, stranger)).call('PUT', `/stores/${store.id}`, {
    number_id: null,
  });
  expect(byOther.status).toBe(404);
  expect((await findStore(app.db, shop.id, store.id))!.number_id).toBe(second.id);
  expect((await choose(null)).status).toBe(200);
  expect((await findStore(app.db, shop.id, store.id))!.number_id).toBeNull();
});

test('without its number a store sends from no other, and says so', async () => {
  const { shop, store, second, sendersOf } = await storeWithTwo();
  const owner = await signIn(app, shop);
  await owner.call('PUT', `/stores/${store.id}`, { number_id: second.id });
  await disconnectNumber(app.db, shop.id, second.phone_number_id);
  await new Promise((resolve) => setTimeout(resolve, cacheTtlMs));
  expect(await sendWoo(app, store, 'order.created', order)).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('no longer connected'),
  });
  expect(await sendersOf()).toEqual([0, 0]);
});
