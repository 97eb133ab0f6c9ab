import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApp } from '../../test/app.ts';
import { signIn } from '../../test/sign-in.ts';
import { startWorkers } from '../workers.ts';
import { fixture, misbehave, sendWoo, shopWithTemplate } from './test-store.ts';

const app = testApp();
const order = fixture('woocommerce-order.json');
let stopWorkers: () => Promise<void>;

beforeAll(() => {
  stopWorkers = startWorkers(app.services);
});
afterAll(() => stopWorkers());

test('a post that failed says when it is tried again, and one that is settled says nothing', async () => {
  const { shop, store } = await shopWithTemplate(app, 'order.created');
  await misbehave(app, shop, { failWith: 131016, count: 1 });
  const { id } = await sendWoo(
    app,
    store,
    'order.created',
    order,
    (each) => each.attempts > 0 && each.state === 'failed',
  );
  const member = await signIn(app, shop);
  const { body } = await member.call('GET', `/stores/${store.id}/events`);
  const [event] = body.data.events;
  expect(event).toMatchObject({ id, state: 'failed', next_try_at: expect.stringMatching(/Z$/) });
  expect(new Date(event.next_try_at).getTime()).toBeGreaterThan(
    new Date(event.received_at).getTime(),
  );
  await sendWoo(app, store, 'order.created', '{}');
  const after = await member.call('GET', `/stores/${store.id}/events`);
  expect(after.body.data.events[0]).toMatchObject({ state: 'skipped', next_try_at: null });
});
