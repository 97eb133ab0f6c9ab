import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventuallyHolds } from '../../test/checks/eventually.ts';
import { startTestSimulator } from '../../test/servers/simulator.ts';
import type { JsonObject, SimulatedNumber } from './types.ts';

const statusesOf = (statuses: { status?: unknown }[]) => statuses.map((one) => one.status);

test('delayMs delays the response', async () => {
  const network = await startTestSimulator();
  await network.behave({ delayMs: 300 });
  const before = performance.now();
  expect((await network.send()).status).toBe(200);
  expect(performance.now() - before).toBeGreaterThanOrEqual(290);
});

test('duplicate repeats every callback', async () => {
  const network = await startTestSimulator();
  await network.behave({ duplicate: 2 });
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.posts).toHaveLength(6));
  expect(statusesOf(network.receiver.statuses()).filter((one) => one === 'sent')).toHaveLength(3);
});

test('disorder reports the last status first', async () => {
  const network = await startTestSimulator();
  await network.behave({ disorder: true, autoRead: true, stepMs: 150 });
  // Timers report them a step apart. The wait below advances fake timers, so a slow machine does not matter.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(3));
  expect(statusesOf(network.receiver.statuses())).toEqual(['read', 'delivered', 'sent']);
});

test.each([
  ['statuses', 1, 1, 6],
  ['changes', 1, 6, 1],
  ['entries', 6, 1, 1],
])('batch combines updates as several %s', async (batchAs, entries, changes, statuses) => {
  const network = await startTestSimulator();
  const phone = { phone: '+15551234567', name: 'Ann' };
  const switchOn = (on: boolean) => network.call('PATCH', '/simulator/phones/15551234567', { on });
  await network.call('POST', '/simulator/phones', phone);
  await switchOn(false);
  await network.behave({ callbacks: false });
  for (let sent = 0; sent < 6; sent++) await network.send();
  await network.behave({ callbacks: null, batch: 6, batchAs });
  // All are delivered at the same moment.
  await switchOn(true);
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(6));
  const first = JSON.parse(String(network.receiver.posts[0]?.raw));
  expect(network.receiver.posts).toHaveLength(1);
  expect(first.entry).toHaveLength(entries);
  expect(first.entry[0].changes).toHaveLength(changes);
  expect(first.entry[0].changes[0].value.statuses).toHaveLength(statuses);
});

test('batchNumbers puts updates of all numbers of an account into the same callback', async () => {
  const network = await startTestSimulator();
  const { business_account_id, callback_url } = network.number;
  const add = async (values: object) =>
    (await network.call('POST', '/simulator/numbers', { callback_url, ...values })).body;
  const second = await add({ business_account_id });
  const other = await add({});
  await network.behave({ batch: 10, batchNumbers: true });
  const numbers: SimulatedNumber[] = [network.number, second, network.number, other];
  for (const { phone_number_id } of numbers) {
    const message = { phone_number_id, from: '15551234567', text: 'Hi' };
    await network.call('POST', '/simulator/inbound', message);
  }
  await eventuallyHolds(() => expect(network.receiver.inbound()).toHaveLength(4));
  const posted = network.receiver.posts.map(({ raw }) => JSON.parse(String(raw)).entry);
  const numbersOf = (changes: { value: { metadata: { phone_number_id: string } } }[]) =>
    changes.map(({ value }) => value.metadata.phone_number_id);
  expect(posted.map(([{ id, changes }]) => [id, numbersOf(changes)])).toEqual([
    [business_account_id, numbers.slice(0, 3).map(({ phone_number_id }) => phone_number_id)],
    [other.business_account_id, [other.phone_number_id]],
  ]);
  const [{ headers, raw }] = network.receiver.posts as [{ headers: JsonObject; raw: Buffer }];
  const digest = createHmac('sha256', network.number.app_secret).update(raw).digest('hex');
  expect(headers['x-hub-signature-256']).toBe(`sha256=${digest}`);

  // Statuses of a number are never in a value of another one.
  const sent = new Map<string, string>();
  for (const { phone_number_id, access_token } of [network.number, second, network.number]) {
    const text = { messaging_product: 'whatsapp', to: '15551234567', text: { body: 'Hi' } };
    const path = `/${phone_number_id}/messages`;
    const { body } = await network.call('POST', path, text, access_token);
    sent.set(body.messages[0].id, phone_number_id);
  }
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(6));
  const values = network.receiver.posts
    .flatMap(({ raw }) => JSON.parse(String(raw)).entry)
    .flatMap(({ changes }) => changes.map((change: { value: JsonObject }) => change.value));
  for (const { statuses = [], metadata } of values) {
    for (const { id } of statuses) expect(metadata.phone_number_id).toBe(sent.get(id));
  }
});

test('skipDelivered goes from sent to read', async () => {
  const network = await startTestSimulator();
  await network.behave({ skipDelivered: true, autoRead: true });
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(2));
  expect(statusesOf(network.receiver.statuses())).toEqual(['sent', 'read']);
});

test('callbacks: false sends none, callbackDelayMs delays them', async () => {
  const network = await startTestSimulator();
  await network.behave({ callbacks: false });
  const silent = (await network.send()).body.messages[0].id;
  await network.behave({ callbacks: null, callbackDelayMs: 100 });
  const late = (await network.send()).body.messages[0].id;
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(2));
  expect(network.receiver.statuses().map((one) => one.id)).toEqual([late, late]);
  expect(silent).not.toBe(late);
});

test.each([131031, 131056, 130429, 131000, 133010, 132001])(
  'failWith %i is reported by the response',
  async (code) => {
    const network = await startTestSimulator();
    await network.behave({ failWith: code });
    expect((await network.send()).body.error).toMatchObject({ code });
    expect(await network.messages()).toEqual([]);
  },
);

test.each([
  [131026, ['sent', 'failed']],
  [131042, ['sent', 'failed']],
  [131047, ['failed']],
  [131049, ['sent', 'failed']],
  [131053, ['failed']],
])('failWith %i is reported by the statuses %j', async (code, statuses) => {
  const network = await startTestSimulator();
  await network.behave({ failWith: code, failDetails: 'because' });
  const { body } = await network.send();
  await eventuallyHolds(() =>
    expect(network.receiver.statuses().map(({ status }) => status)).toEqual(statuses),
  );
  const failed = network.receiver.statuses().at(-1);
  expect(failed).not.toHaveProperty('recipient_user_id');
  expect(failed).toMatchObject({
    id: body.messages[0].id,
    status: 'failed',
    errors: [{ code, error_data: { details: 'because' } }],
  });
});

test('failAs overrides where a code is reported', async () => {
  const network = await startTestSimulator();
  await network.behave({ failWith: 131026, failAs: 'answer' });
  expect((await network.send()).body.error.code).toBe(131026);
  await network.behave({ failWith: 131031, failAs: 'callback' });
  expect((await network.send()).status).toBe(200);
});

test.each([
  [401, 190],
  [429, 80007],
  [500, 131000],
  [503, 131016],
])('status %i responds with code %i and accepts nothing', async (status, code) => {
  const network = await startTestSimulator();
  await network.behave({ status });
  expect(await network.send()).toMatchObject({ status, body: { error: { code } } });
  expect(await network.messages()).toEqual([]);
});

test.each([
  ['garbage', 1],
  ['half', 1],
  ['drop-after-accept', 1],
  ['drop', 0],
])('answer %s gives no usable response, and %i messages are accepted', async (answer, accepted) => {
  const network = await startTestSimulator();
  await network.behave({ answer });
  await expect(network.send()).rejects.toThrow();
  expect(await network.messages()).toHaveLength(accepted);
});

test('answer never accepts the message but does not respond until the caller disconnects', async () => {
  const network = await startTestSimulator();
  await network.behave({ answer: 'never' });
  let responded = false;
  const sending = network.send().finally(() => {
    responded = true;
  });
  sending.catch(() => {});
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(2));
  expect(responded).toBe(false);
  await network.close();
  await expect(sending).rejects.toThrow();
});

test('count limits a rule to the next messages', async () => {
  const network = await startTestSimulator();
  await network.behave({ status: 500, count: 2 });
  expect((await network.send()).status).toBe(500);
  expect((await network.send()).status).toBe(500);
  expect((await network.send()).status).toBe(200);
});

test('a rule for one phone does not affect others, and wins over the rule for its number', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  await network.behave({ failWith: 131056, phone: '+1 555 123 4567' });
  await network.behave({ failWith: 131031, phone_number_id });
  expect((await network.send()).body.error.code).toBe(131056);
  expect((await network.send({ to: '+15557654321' })).body.error.code).toBe(131031);
  await network.call('DELETE', '/simulator/behaviour?phone=15551234567');
  expect((await network.send()).body.error.code).toBe(131031);
  await network.call('DELETE', '/simulator/behaviour');
  expect((await network.send()).status).toBe(200);
});

test.each([
  ['+5562987654321', '556287654321'],
  ['+5511987654321', '5511987654321'],
  ['+541123456789', '5491123456789'],
  ['+525512345678', '5215512345678'],
  ['+4915123456789', '4915123456789'],
])('nationalWaIds converts %s to %s', async (input, wa_id) => {
  const network = await startTestSimulator();
  expect((await network.send({ to: input })).body.contacts[0].wa_id).toBe(input.slice(1));
  await network.behave({ nationalWaIds: true });
  expect((await network.send({ to: input })).body.contacts).toEqual([{ input, wa_id }]);
});

test('record: false stores no history, but still reports statuses', async () => {
  const network = await startTestSimulator();
  await network.behave({ record: false });
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(2));
  expect(await network.messages()).toEqual([]);
});

test('the price of a message can be another one, and names the conversation of a free entry point', async () => {
  const network = await startTestSimulator();
  const template = { name: 'login_code', language: { code: 'en_US' } };
  const price = async (knobs: object, fields: JsonObject = {}) => {
    const before = network.receiver.statuses().length;
    await network.behave({ ...knobs, count: 1 });
    await network.send(fields);
    await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(before + 2));
    return network.receiver.statuses().slice(before);
  };
  const free = { billable: false, category: 'service', type: 'free_customer_service' };
  expect(await price({ delayMs: 0 })).toMatchObject([{ pricing: free }, { pricing: free }]);
  const regular = { billable: true, category: 'service', type: 'regular' };
  expect(await price({ pricingType: 'regular' })).toMatchObject([
    { pricing: regular },
    { pricing: regular },
  ]);
  const abroad = { billable: true, category: 'authentication-international', type: 'regular' };
  const parameters = [{ type: 'text', text: '123456' }];
  const components = [
    { type: 'body', parameters },
    { type: 'button', sub_type: 'url', index: 0, parameters },
  ];
  expect(
    await price(
      { pricingCategory: 'authentication-international' },
      { type: 'template', template: { ...template, components } },
    ),
  ).toMatchObject([{ pricing: abroad }, { pricing: abroad }]);
  const [sent, delivered] = await price({ pricingType: 'free_entry_point' });
  const entry = { billable: false, category: 'service', type: 'free_entry_point' };
  const conversation = { id: expect.any(String), origin: { type: 'referral_conversion' } };
  expect(sent).toMatchObject({
    pricing: entry,
    conversation: { ...conversation, expiration_timestamp: expect.stringMatching(/^\d+$/) },
  });
  expect(delivered).toMatchObject({ pricing: entry, conversation });
  expect(delivered!.conversation).toEqual({
    ...conversation,
    id: (sent!.conversation as { id: string }).id,
  });
});

test('a template can be held for an assessment of its quality, and is dropped or sent after it', async () => {
  const network = await startTestSimulator();
  const template = { name: 'hello_world', language: { code: 'en_US' } };
  const send = () => network.send({ type: 'template', text: undefined, template });
  const messageStatus = 'held_for_quality_assessment';
  await network.behave({ messageStatus });
  const sent = (await send()).body.messages[0];
  expect(sent.message_status).toBe(messageStatus);
  // A text is never held.
  expect((await network.send()).body.messages[0].message_status).toBeUndefined();
  await network.behave({ failWith: 132015, failAs: 'callback' });
  const dropped = (await send()).body.messages[0];
  expect(dropped.message_status).toBe(messageStatus);
  await eventuallyHolds(() => {
    const ends = network.receiver.statuses().map(({ id, status }) => [id, status]);
    expect(ends).toContainEqual([sent.id, 'delivered']);
    expect(ends).toContainEqual([dropped.id, 'failed']);
  });
});

test('an unknown knob is rejected, not ignored', async () => {
  const network = await startTestSimulator();
  const { status, body } = await network.behave({ skipDeliverd: true });
  expect(status).toBe(400);
  expect(body.error).toContain('additional properties');
});
