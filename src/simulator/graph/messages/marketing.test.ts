import { expect, test } from 'vitest';
import { eventuallyHolds } from '../../../../test/checks/eventually.ts';
import { startTestSimulator } from '../../../../test/servers/simulator.ts';
import type { JsonObject } from '../../types.ts';

const offer = {
  name: 'winter_sale',
  language: { code: 'en' },
  components: [],
};
const update = { name: 'hello_world', language: { code: 'en_US' } };

/** Starts a network whose marketing template can be sent. */
async function startMarketing() {
  const network = await startTestSimulator();
  const { phone_number_id, business_account_id, access_token } = network.number;
  await network.call('POST', '/simulator/templates', {
    business_account_id,
    name: 'winter_sale',
    language: 'en',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'All coats at half price.' }],
  });
  const sendBy = (endpoint: string, template: object, fields: JsonObject = {}) =>
    network.call(
      'POST',
      `/v25.0/${phone_number_id}/${endpoint}`,
      { messaging_product: 'whatsapp', to: '+15551234567', type: 'template', template, ...fields },
      access_token,
    );
  const agree = (marketing: object) =>
    network.call('POST', '/simulator/numbers', { phone_number_id, marketing });
  return { network, sendBy, agree };
}

test('a marketing template is sent by its endpoint, and priced as such', async () => {
  const { network, sendBy } = await startMarketing();
  const { status, body } = await sendBy('marketing_messages', offer, { product_policy: 'STRICT' });
  expect([status, body.messages[0].message_status]).toEqual([200, 'accepted']);
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(2));
  expect(network.receiver.statuses()[0]).toMatchObject({ pricing: { category: 'marketing_lite' } });
});

test('the endpoint takes marketing templates only', async () => {
  const { network, sendBy } = await startMarketing();
  const text = { type: 'text', template: undefined, text: { body: 'Hello' } };
  expect((await sendBy('marketing_messages', update)).body.error.code).toBe(134100);
  expect((await sendBy('marketing_messages', offer, text)).body.error).toMatchObject({
    code: 100,
    message: '(#100) Message must be a template message.',
  });
  const policy = { product_policy: 'SOMETIMES' };
  expect((await sendBy('marketing_messages', offer, policy)).body.error.code).toBe(100);
  expect(await network.messages()).toEqual([]);
});

test('without the terms, the default policy sends as the other endpoint does, and STRICT refuses', async () => {
  const { network, sendBy, agree } = await startMarketing();
  await agree({ terms_signed: false });
  const strict = await sendBy('marketing_messages', offer, { product_policy: 'STRICT' });
  expect([strict.status, strict.body.error.code]).toEqual([500, 134102]);
  expect((await sendBy('marketing_messages', offer)).status).toBe(200);
  await eventuallyHolds(() => expect(network.receiver.statuses()).toHaveLength(2));
  expect(network.receiver.statuses()[0]).toMatchObject({ pricing: { category: 'marketing' } });
});

test('an account can disable marketing on the other endpoint', async () => {
  const { network, sendBy, agree } = await startMarketing();
  const account = `/v25.0/${network.number.business_account_id}`;
  const disable = (value: unknown) =>
    network.call(
      'POST',
      account,
      { disable_marketing_messages_on_cloud_api: value },
      network.number.access_token,
    );
  expect((await disable('yes')).body.error.code).toBe(100);
  expect((await disable(true)).body).toEqual({ success: true });
  expect((await sendBy('messages', offer)).body.error.code).toBe(131063);
  expect((await sendBy('messages', update)).status).toBe(200);
  expect((await sendBy('marketing_messages', offer)).status).toBe(200);
  await agree({ terms_signed: false });
  expect((await sendBy('marketing_messages', offer)).body.error.code).toBe(131063);
});

test('with the limit for it, marketing templates to the United States fail, and to other countries of +1 do not', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  await network.call('POST', '/simulator/templates', {
    business_account_id: network.number.business_account_id,
    name: 'sale',
    language: 'en',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Half price' }],
  });
  const sale = { type: 'template', text: undefined };
  const template = (name: string, code: string) => ({ name, language: { code } });
  await network.send({ ...sale, to: '+14155550120', template: template('sale', 'en') });
  const limits = { us_marketing: true };
  await network.call('POST', '/simulator/numbers', { phone_number_id, limits });
  await network.send({ ...sale, to: '+14155550121', template: template('sale', 'en') });
  await network.send({ ...sale, to: '+16475550122', template: template('sale', 'en') });
  await network.send({ ...sale, to: '+442079460123', template: template('sale', 'en') });
  await network.send({ ...sale, to: '+14155550124', template: template('hello_world', 'en_US') });
  await eventuallyHolds(async () => {
    const found = (await network.messages()).map(({ status, error }) => [status, error?.code]);
    const delivered = ['delivered', undefined];
    expect(found).toEqual([delivered, ['failed', 131049], delivered, delivered, delivered]);
  });
});
