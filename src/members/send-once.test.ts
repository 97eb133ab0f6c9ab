import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sameOrigin, signIn } from '../../test/features/sign-in.ts';
import { call, testApp } from '../../test/program/app.ts';
import { misbehave } from '../../test/servers/control.ts';
import { onThePhone } from '../../test/servers/phone.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Your refund is on its way' };

/** A tenant with a member who sends with one Idempotency-Key. */
async function startSending() {
  const shop = await app.tenant();
  const { cookie } = await signIn(app, shop);
  const headers = { ...sameOrigin, cookie, 'idempotency-key': randomUUID() };
  const send = (body: object = text) =>
    call(app, 'POST', `/dashboard-api/${shop.slug}/messages/send`, body, headers);
  return { shop, send };
}

test('a message that a member sends twice with one Idempotency-Key goes out once, and counts once', async () => {
  const { shop, send } = await startSending();
  const [one, two] = await Promise.all([send(), send()]);
  const three = await send();
  expect([one.status, one.body]).toEqual([200, two.body]);
  expect(three.body).toEqual(one.body);
  expect(three.headers['idempotency-replayed']).toBe('true');
  expect(await onThePhone(app, shop)).toHaveLength(1);
  const { rows } = await app.db.pool.query(
    'select sum(messages)::int as messages from token_days where tenant_id = $1',
    [shop.id],
  );
  expect(rows).toEqual([{ messages: 1 }]);
});

test('a message of a member with an unknown outcome is not sent again with its key', async () => {
  const { shop, send } = await startSending();
  await misbehave(app, shop, { answer: 'drop', count: 1 });
  for (const { status, body } of [await send(), await send()]) {
    expect([status, body.code]).toEqual([500, 'outcome_unknown']);
  }
  // The phone did not get the first one, and would have got a second one.
  expect(await onThePhone(app, shop)).toEqual([]);
});

test('a refusal that is given again has the codes for the wording of the dashboard', async () => {
  const { shop, send } = await startSending();
  await misbehave(app, shop, { failWith: 131026, failAs: 'answer' });
  const first = await send();
  const again = await send();
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(again.body).toEqual(first.body);
  expect(again.body.says ?? again.body.faults).toBeDefined();
});

test('a key that is not valid is 400', async () => {
  const shop = await app.tenant();
  const { cookie } = await signIn(app, shop);
  const path = `/dashboard-api/${shop.slug}/messages/send`;
  const headers = { ...sameOrigin, cookie, 'idempotency-key': 'a b' };
  const { status, body } = await call(app, 'POST', path, text, headers);
  expect([status, Object.keys(body.errors)]).toEqual([400, ['Idempotency-Key']]);
});
