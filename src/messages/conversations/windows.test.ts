import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { answersOf, testBot } from '../../../test/features/bots.ts';
import { signIn, type TestMember } from '../../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../../test/program/app.ts';
import { connectTestNumber, control } from '../../../test/servers/control.ts';
import { onThePhone, writeTo } from '../../../test/servers/phone.ts';
import { startAnswering } from '../../bots/answering/start-answering.ts';
import { automatedSenderOf } from '../sending/automated/automated-sender-of.ts';

const app = testApp();
const phone = '+14155550123';
let stop: () => Promise<void>;

beforeAll(async () => {
  await control(app, 'POST', '/simulator/behaviour', { skipDelivered: false });
  stop = startAnswering({ ...app.services, sender: automatedSenderOf(app.services) });
});
afterAll(() => stop());

/** Creates a tenant with two numbers of one account, for which the network keeps the window. */
async function shopWithTwo() {
  const shop = await app.tenant();
  const { phone_number_id, business_account_id } = shop.number;
  const limits = { window: true };
  await control(app, 'POST', '/simulator/numbers', { phone_number_id, limits });
  const second = await connectTestNumber(app, shop.id, { business_account_id, limits });
  return { shop, second };
}

const threadOf = async (member: TestMember) =>
  (await member.call('GET', `/conversation?phone=${encodeURIComponent(phone)}`)).body.data;

/** Sends a text, and waits until the network reports whether the phone got it. */
async function outcomeOf(shop: TestTenant, from?: string) {
  const text = { phone_number: phone, type: 'text', message: 'Hello', from };
  const { id } = (await shop.call('POST', '/messages/send', text)).body.data;
  return eventually(async () => {
    const { status, error } = (await shop.call('GET', `/messages/id:${id}`)).body.data;
    return status === 'delivered' ? status : status === 'failed' && error.code;
  });
}

test('the window is open at the number that was written to, and closed at the others', async () => {
  const { shop, second } = await shopWithTwo();
  const member = await signIn(app, shop);
  await writeTo(app, second, phone, 'Hello');
  const thread = await threadOf(member);
  expect(thread).toMatchObject({
    number_id: second.id,
    windows: [{ number_id: second.id, window_until: expect.stringMatching(/Z$/) }],
    messages: [{ number_id: second.id }],
  });
  expect(await outcomeOf(shop)).toBe('delivered');
  expect(await outcomeOf(shop, shop.number.phone_number_id)).toBe(131047);

  // The latest message is of the first number now, to which the person has not written.
  const [listed] = (await member.call('GET', '/conversations')).body.data.conversations;
  expect(listed).toMatchObject({ number_id: shop.number.id, window_until: null });
  await writeTo(app, shop.number, phone, 'Hello');
  const { windows } = await threadOf(member);
  expect(windows.map((each: { number_id: number }) => each.number_id).sort()).toEqual(
    [shop.number.id, second.id].sort(),
  );
  expect(await outcomeOf(shop)).toBe('delivered');
});

test('a notice of the network about a person opens no window and does not choose the number that sends', async () => {
  const { shop, second } = await shopWithTwo();
  const member = await signIn(app, shop);
  const notify = async (from: string) => {
    await control(app, 'POST', '/simulator/inbound', {
      phone_number_id: second.phone_number_id,
      from,
      type: 'system',
      system: { type: 'customer_identity_changed', body: 'Ana changed her phone' },
    });
    const thread = `/conversation?phone=${encodeURIComponent(from)}`;
    return eventually(async () => {
      const { data } = (await member.call('GET', thread)).body;
      return data.messages[0]?.kind === 'system' && data;
    });
  };
  expect(await outcomeOf(shop)).toBe(131047);
  expect(await notify(phone)).toMatchObject({ number_id: shop.number.id, windows: [] });
  expect(await notify('+14155550124')).toMatchObject({ number_id: second.id, windows: [] });
});

test('a thread without messages shows the default number, which would send', async () => {
  const { shop } = await shopWithTwo();
  const member = await signIn(app, shop);
  expect(await threadOf(member)).toMatchObject({ number_id: shop.number.id, windows: [] });
});

test('a bot answers from the number that was written to, by the window of that number', async () => {
  const { shop, second } = await shopWithTwo();
  await testBot(app, shop, { keywords: ['hours'], reply: 'We open at nine.' });
  await writeTo(app, second, phone, 'hours');
  await eventually(async () => (await answersOf(app, shop))[0]?.state === 'sent');
  const sent = await onThePhone(app, { ...shop, number: second });
  expect(sent.map(({ direction, type }) => [direction, type])).toEqual([
    ['inbound', 'text'],
    ['outbound', 'text'],
  ]);
  expect(await onThePhone(app, shop)).toEqual([]);
});
