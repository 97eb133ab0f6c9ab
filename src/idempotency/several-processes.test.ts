import { request } from 'undici';
import { expect, test } from 'vitest';
import { type ApiProcess, startApiProcesses } from '../../test/api-process.ts';
import { control, eventually, type TestTenant, testApp } from '../../test/app.ts';
import { holdLocks } from '../../test/locks.ts';
import { readOnThePhone } from '../../test/phone.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
const withKey = { 'idempotency-key': 'order-1' };

async function send({ url, dispatcher }: ApiProcess, shop: TestTenant) {
  const answer = await request(`${url}/api/${shop.slug}/messages/send`, {
    dispatcher,
    method: 'POST',
    headers: {
      authorization: `Bearer ${shop.token}`,
      'content-type': 'application/json',
      ...withKey,
    },
    body: JSON.stringify(text),
  });
  return { status: answer.statusCode, body: await answer.body.json() };
}

async function sentBy(shop: TestTenant): Promise<{ wamid: string }[]> {
  const path = `/simulator/messages?phone_number_id=${shop.number.phone_number_id}`;
  return (await control(app, 'GET', path)).messages;
}

const behave = (shop: TestTenant, knobs: object) =>
  control(app, 'POST', '/simulator/behaviour', {
    phone_number_id: shop.number.phone_number_id,
    ...knobs,
  });

test('50 requests with one key on three processes send one message', async () => {
  const [one, two, three] = await startApiProcesses(app, 3);
  const shop = await app.tenant();
  await behave(shop, { delayMs: 150 });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => send([one!, two!, three!][index % 3]!, shop)),
  );
  expect(answers).toEqual(answers.map(() => ({ status: 200, body: answers[0]!.body })));
  expect(await sentBy(shop)).toHaveLength(1);
});

test('a process killed while the network has the message leaves it to another, which never sends it again', async () => {
  const [doomed] = await startApiProcesses(app, 1);
  const shop = await app.tenant();
  await behave(shop, { answer: 'never', callbacks: false, stepMs: 1, count: 1 });
  const lost = expect(send(doomed!, shop)).rejects.toThrow();
  await eventually(async () => (await sentBy(shop)).length === 1);
  await doomed!.kill();
  await lost;

  // Not before the lease of the dead process is over does another one look for itself.
  app.clock.offsetMs += 60_000;
  const early = await shop.call('POST', '/messages/send', text, withKey);
  expect({ status: early.status, retry: early.headers['retry-after'] }).toEqual({
    status: 500,
    retry: '5',
  });
  expect(early.body.message).toMatch(/may have been sent/);

  await readOnThePhone(app, shop, text.phone_number);
  const settled = await eventually(async () => {
    const answer = await shop.call('POST', '/messages/send', text, withKey);
    return answer.status === 200 && answer;
  });
  const sent = await sentBy(shop);
  expect(sent.map(({ wamid }) => wamid)).toEqual([settled.body.data.message_id]);
  expect(settled.headers['idempotency-replayed']).toBe('true');
});

test('a process killed before it wrote the message down lets another one send it', async () => {
  const [doomed] = await startApiProcesses(app, 1);
  const shop = await app.tenant();
  // Nothing can be written down before the tenant's number is looked up.
  const holder = await holdLocks(app, 'lock table numbers in access exclusive mode');
  const lost = expect(send(doomed!, shop)).rejects.toThrow();
  await eventually(async () => {
    const claimed = 'select from idempotency_keys where tenant_id = $1';
    return (await app.db.pool.query(claimed, [shop.id])).rowCount === 1;
  });
  await doomed!.kill();
  await lost;
  await holder.query('commit');
  app.clock.offsetMs += 60_000;
  const answer = await shop.call('POST', '/messages/send', text, withKey);
  expect(answer.status).toBe(200);
  expect(await sentBy(shop)).toHaveLength(1);
});
