import { expect, test } from 'vitest';
import { eventuallyHolds } from '../../../../test/checks/eventually.ts';
import { startTestSimulator } from '../../../../test/servers/simulator.ts';
import type { SimulatedNumber } from '../../types.ts';
import { createRateLimits } from './rate-limits.ts';

const number = {
  phone_number_id: '1',
  limits: {
    messages_per_second: 80,
    pair: true,
    window: false,
    us_marketing: false,
    public_links: false,
  },
} as SimulatedNumber;

test('a number accepts a burst of 80 messages, then 80 per second', () => {
  const limits = createRateLimits();
  const acceptedAt = (now: number) => {
    let count = 0;
    for (let n = 0; n < 500; n++) if (!limits.check(number, `${now}${n}`, now)) count++;
    return count;
  };
  expect(acceptedAt(0)).toBe(80);
  expect(limits.check(number, 'x', 0)).toBe(130429);
  expect(acceptedAt(500)).toBe(40);
  expect(acceptedAt(60_000)).toBe(80);
});

test('inbound messages count against the throughput', () => {
  const limits = createRateLimits();
  for (let n = 0; n < 80; n++) limits.countInbound(number, 0);
  expect(limits.check(number, 'x', 0)).toBe(130429);
});

test('one phone accepts a burst of 45, then one message per 6 seconds', () => {
  const limits = createRateLimits();
  for (let n = 0; n < 45; n++) expect(limits.check(number, 'a', 0)).toBeNull();
  expect(limits.check(number, 'a', 0)).toBe(131056);
  expect(limits.check(number, 'b', 0)).toBeNull();
  expect(limits.check(number, 'a', 5_999)).toBe(131056);
  expect(limits.check(number, 'a', 6_000)).toBeNull();
  expect(limits.check(number, 'a', 6_001)).toBe(131056);
});

test('the limits can be disabled for each number', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const errorCodes = async () => {
    const responses = await Promise.all(Array.from({ length: 46 }, () => network.send()));
    return responses.filter(({ status }) => status !== 200).map((one) => one.body.error.code);
  };
  expect(await errorCodes()).toEqual([131056]);
  const limits = { pair: false, messages_per_second: null };
  await network.call('POST', '/simulator/numbers', { phone_number_id, limits });
  expect(await errorCodes()).toEqual([]);
});

test('with the limit `window`, only templates are delivered outside the 24 hours', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  await network.call('POST', '/simulator/numbers', { phone_number_id, limits: { window: true } });
  const { body } = await network.send();
  await eventuallyHolds(() =>
    expect(network.receiver.statuses()).toMatchObject([
      { id: body.messages[0].id, status: 'failed', errors: [{ code: 131047 }] },
    ]),
  );
  const template = { name: 'hello_world', language: { code: 'en_US' } };
  await network.send({ type: 'template', text: undefined, template });
  await network.call('POST', '/simulator/inbound', {
    phone_number_id,
    from: '+15551234567',
    text: 'Hi',
  });
  await network.send();
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(5));
  expect(network.receiver.statuses().filter((one) => one.status === 'failed')).toHaveLength(1);
});

test('each number has a window of its own, also in one account', async () => {
  const network = await startTestSimulator({ window: true });
  const { phone_number_id, business_account_id, access_token } = network.number;
  const second = (
    await network.call('POST', '/simulator/numbers', {
      business_account_id,
      callback_url: network.receiver.url,
    })
  ).body;
  // The token and the app secret are those of the account.
  expect(second).toMatchObject({ access_token, limits: { window: true } });
  const inbound = { phone_number_id, from: '+15551234567', text: 'Hi' };
  await network.call('POST', '/simulator/inbound', inbound);
  const send = async (numberId: string) => {
    const text = { messaging_product: 'whatsapp', to: '+15551234567', text: { body: 'Hello' } };
    const path = `/v25.0/${numberId}/messages`;
    const { body } = await network.call('POST', path, text, access_token);
    return eventuallyHolds(() => {
      const statuses = network.receiver.statuses().filter(({ id }) => id === body.messages[0].id);
      expect(statuses.at(-1)!.status).toMatch(/delivered|failed/);
      return statuses.at(-1)!;
    });
  };
  expect(await send(phone_number_id)).toMatchObject({ status: 'delivered' });
  const closed = { status: 'failed', errors: [{ code: 131047 }] };
  expect(await send(second.phone_number_id)).toMatchObject(closed);
  await network.call('POST', '/simulator/numbers', {
    phone_number_id: second.phone_number_id,
    limits: { window: false },
  });
  expect(await send(second.phone_number_id)).toMatchObject({ status: 'delivered' });
});
