import { expect, test } from 'vitest';
import { holdOutcomes } from '../../test/database/hold-outcomes.ts';
import { holdLocks, lockWaiters } from '../../test/database/locks.ts';
import { postCallback } from '../../test/features/post-callback.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';

const app = testApp();
const [phone, otherPhone] = ['+14155550171', '+14155550172'];
let texts = 0;

const send = (shop: TestTenant, to = phone) =>
  shop.call('POST', '/messages/send', { phone_number: to, type: 'text', message: 'Hello' });

const receive = (shop: TestTenant, from = phone) =>
  postCallback(app, shop, {
    messages: [
      {
        from: from.slice(1),
        id: `wamid.locked${++texts}`,
        timestamp: String(Math.floor(Date.now() / 1000)),
        type: 'text',
        text: { body: 'Hi' },
      },
    ],
  });

const createContact = (shop: TestTenant, userPhone: string) =>
  shop.call('POST', '/contacts', { firstname: 'Ana', phone: userPhone });

const countSent = async (shop: TestTenant) =>
  (await shop.call('GET', '/messages?direction=out')).body.data.length;

test('locks of one tenant delay no sends, messages and contacts of another one', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  await receive(shop);
  await createContact(shop, otherPhone);
  const conversations = 'select from conversations where tenant_id = $1 for update';
  const holder = await holdLocks(app, conversations, [shop.id]);
  await holder.query('delete from contacts where tenant_id = $1', [shop.id]);
  const waiting = [send(shop), receive(shop), createContact(shop, otherPhone)];
  await lockWaiters(app, { count: 3 });
  for (const done of [send(other), receive(other), createContact(other, otherPhone)]) {
    expect((await done).status).toBe(200);
  }
  expect(await countSent(shop)).toBe(0);
  await holder.query('commit');
  for (const done of waiting) expect((await done).status).toBe(200);
  expect(await countSent(shop)).toBe(1);
});

test('a send that waits for its conversation does not hold the count of its token', async () => {
  const shop = await app.tenant();
  await send(shop);
  const conversations = 'select from conversations where tenant_id = $1 for update';
  const holder = await holdLocks(app, conversations, [shop.id]);
  const sending = send(shop);
  await lockWaiters(app, { like: '%for no key update%' });
  // The requests of the tenant in another process need it.
  await holder.query('select from token_days where tenant_id = $1 for update nowait', [shop.id]);
  await holder.query('commit');
  expect((await sending).status).toBe(200);
});

test('the outcome of a send is stored however long its row is locked, and delays no other tenant', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  const holder = await holdOutcomes(app, shop);
  const sending = send(shop);
  await lockWaiters(app, { lock: 'advisory' });
  expect((await send(other)).status).toBe(200);
  // Neither does the beginning of another send.
  const second = send(shop, otherPhone);
  await holder.query('rollback');
  for (const done of [sending, second]) expect((await done).status).toBe(200);
  expect(await countSent(shop)).toBe(2);
});
