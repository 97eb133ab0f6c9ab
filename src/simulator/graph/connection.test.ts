import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { startTestSimulator, type TestSimulator } from '../../../test/servers/simulator.ts';
import type { SimulatedNumber } from '../types.ts';

const account = '1020304050';

/** Starts a receiver that answers the challenge, and notes the callbacks that it gets. */
async function startBusiness() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(String(request.url), 'http://localhost');
    if (request.method === 'GET') {
      response.end(searchParams.get('hub.challenge'));
      return;
    }
    bodies.push(Buffer.concat(await request.toArray()).toString());
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/calls`, bodies };
}

async function addNumber(network: TestSimulator, values: object = {}): Promise<SimulatedNumber> {
  return (
    await network.call('POST', '/simulator/numbers', { business_account_id: account, ...values })
  ).body;
}

const write = (network: TestSimulator, number: SimulatedNumber, text: string) =>
  network.call('POST', '/simulator/inbound', {
    phone_number_id: number.phone_number_id,
    from: '+15550001111',
    text,
  });

const appToken = ({ app_id, app_secret }: SimulatedNumber) => `${app_id}|${app_secret}`;

test('nothing is reported until the app is subscribed to the account and chose the field', async () => {
  const network = await startTestSimulator();
  const number = await addNumber(network);
  const business = await startBusiness();
  await write(network, number, 'before');
  const override = { override_callback_uri: business.url, verify_token: 'x' };
  await network.call('POST', `/${account}/subscribed_apps`, override, number.access_token);
  await write(network, number, 'without the field');
  const chosen = { callback_url: business.url, verify_token: 'x', fields: ['messages'] };
  const made = await network.call(
    'POST',
    `/${number.app_id}/subscriptions`,
    { object: 'whatsapp_business_account', ...chosen },
    appToken(number),
  );
  expect(made.body).toEqual({ success: true });
  await write(network, number, 'after');
  await eventually(async () => business.bodies.length > 0);
  expect(
    business.bodies.map((body) => JSON.parse(body).entry[0].changes[0].value.messages),
  ).toEqual([[expect.objectContaining({ text: { body: 'after' } })]]);
});

test('statuses of templates go to the address of the app, messages to the override', async () => {
  const network = await startTestSimulator();
  const number = await addNumber(network);
  const [own, override] = [await startBusiness(), await startBusiness()];
  await network.call(
    'POST',
    `/${number.app_id}/subscriptions`,
    {
      object: 'whatsapp_business_account',
      callback_url: own.url,
      verify_token: 'x',
      fields: ['messages', 'message_template_status_update'],
    },
    appToken(number),
  );
  const subscribe = (body?: object) =>
    network.call('POST', `/${account}/subscribed_apps`, body, number.access_token);
  await subscribe({ override_callback_uri: override.url, verify_token: 'x' });
  await write(network, number, 'Hello');
  await network.call('PATCH', '/simulator/templates', {
    business_account_id: account,
    name: 'order_update',
    status: 'PAUSED',
  });
  await eventually(async () => own.bodies.length > 0 && override.bodies.length > 0);
  expect(own.bodies.join()).toContain('message_template_status_update');
  expect(own.bodies.join()).not.toContain('Hello');
  expect(override.bodies.join()).toContain('Hello');

  // Without a body, the call removes the override.
  await subscribe();
  await write(network, number, 'Again');
  await eventually(async () => own.bodies.join().includes('Again'));
});

test('an override is visible, also that of another app, and only a verified one is used', async () => {
  const network = await startTestSimulator();
  const number = await addNumber(network);
  const business = await startBusiness();
  const subscribe = (token: string, url: string) =>
    network.call(
      'POST',
      `/${account}/subscribed_apps`,
      { override_callback_uri: url, verify_token: 'x' },
      token,
    );
  const refused = await subscribe(number.access_token, 'http://127.0.0.1:1/none');
  expect(refused.body.error.code).toBe(2200);
  const other = await addNumber(network, {
    access_token: 'EAAother',
    app_secret: 'other',
    app_id: '70707070',
  });
  await subscribe(other.access_token, business.url);
  const seen = await network.call(
    'GET',
    `/${account}/subscribed_apps`,
    undefined,
    number.access_token,
  );
  expect(seen.body.data).toEqual([
    {
      whatsapp_business_api_data: expect.objectContaining({ id: '70707070' }),
      override_callback_uri: business.url,
    },
  ]);
});

test('the address of a number comes before those of its account and its app, until it is removed', async () => {
  const network = await startTestSimulator();
  const number = await addNumber(network);
  const neighbour = await addNumber(network);
  const [ofNumber, ofAccount, ofApp] = [
    await startBusiness(),
    await startBusiness(),
    await startBusiness(),
  ];
  await network.call(
    'POST',
    `/${number.app_id}/subscriptions`,
    { callback_url: ofApp.url, verify_token: 'x', fields: ['messages'] },
    appToken(number),
  );
  const subscribe = (body?: object) =>
    network.call('POST', `/${account}/subscribed_apps`, body, number.access_token);
  const path = `/${number.phone_number_id}`;
  const change = async (override_callback_uri: string, verify_token?: string) => {
    const webhook_configuration = { override_callback_uri, verify_token };
    return (await network.call('POST', path, { webhook_configuration }, number.access_token)).body;
  };
  const look = async () => {
    const fields = `${path}?fields=webhook_configuration`;
    return (await network.call('GET', fields, undefined, number.access_token)).body;
  };
  await subscribe({ override_callback_uri: ofAccount.url, verify_token: 'x' });
  expect((await change('http://127.0.0.1:1/none', 'x')).error.code).toBe(2200);
  expect((await change(ofNumber.url)).error.code).toBe(100);
  expect(await change(ofNumber.url, 'x')).toEqual({ success: true });
  expect(await look()).toEqual({
    id: number.phone_number_id,
    webhook_configuration: {
      phone_number: ofNumber.url,
      whatsapp_business_account: ofAccount.url,
      application: ofApp.url,
    },
  });
  await write(network, number, 'Hello');
  await write(network, neighbour, 'Neighbour');
  await eventually(async () => ofNumber.bodies.length > 0 && ofAccount.bodies.length > 0);
  expect(ofNumber.bodies.join()).toContain('Hello');
  expect(ofAccount.bodies.join()).toContain('Neighbour');

  await change('');
  await subscribe();
  expect((await look()).webhook_configuration).toEqual({ application: ofApp.url });
  await write(network, number, 'Again');
  await eventually(async () => ofApp.bodies.join().includes('Again'));
});

test('only the token of the app sees and changes its fields', async () => {
  const network = await startTestSimulator();
  const number = await addNumber(network);
  const path = `/${number.app_id}/subscriptions`;
  expect((await network.call('GET', path, undefined, appToken(number))).body).toEqual({ data: [] });
  const wrong = await network.call('GET', path, undefined, `${number.app_id}|wrong`);
  expect(wrong.body.error.code).toBe(190);
  const byUser = await network.call('GET', path, undefined, number.access_token);
  expect(byUser.body.error.code).toBe(100);
});

test('debug_token describes a token to a token of the same app', async () => {
  const network = await startTestSimulator();
  const number = await addNumber(network);
  const ask = async (input: string, token: string) =>
    (await network.call('GET', `/debug_token?input_token=${input}`, undefined, token)).body;
  expect((await ask(number.access_token, number.access_token)).data).toMatchObject({
    app_id: number.app_id,
    is_valid: true,
    expires_at: 0,
    scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
    granular_scopes: [
      { scope: 'whatsapp_business_management', target_ids: [account] },
      { scope: 'whatsapp_business_messaging', target_ids: [account] },
    ],
  });
  expect((await ask('EAAunknown', number.access_token)).data).toMatchObject({ is_valid: false });
  expect((await ask(number.access_token, 'EAAunknown')).error.code).toBe(190);
});

test('a token does only what its scopes allow, until it expires', async () => {
  const network = await startTestSimulator();
  const change = (token: object) =>
    addNumber(network, {
      phone_number_id: network.number.phone_number_id,
      token,
      business_account_id: undefined,
    });
  const templates = () =>
    network.call(
      'GET',
      `/${network.number.business_account_id}/message_templates`,
      undefined,
      network.number.access_token,
    );
  await change({ scopes: ['whatsapp_business_messaging'] });
  expect((await network.send()).status).toBe(200);
  expect((await templates()).body.error.code).toBe(200);
  await change({ scopes: ['whatsapp_business_management'] });
  expect((await network.send()).body.error.code).toBe(200);
  expect((await templates()).status).toBe(200);
  await change({ expires_at: 1 });
  expect((await templates()).body.error).toMatchObject({ code: 190, error_subcode: 463 });
});

test('a number that is not registered cannot send until its PIN is given', async () => {
  const network = await startTestSimulator();
  const { phone_number_id, access_token } = network.number;
  await network.call('POST', '/simulator/numbers', {
    phone_number_id,
    registration: { status: 'PENDING', pin: '482913' },
  });
  const look = async () =>
    (
      await network.call(
        'GET',
        `/${phone_number_id}?fields=status,is_pin_enabled`,
        undefined,
        access_token,
      )
    ).body;
  const register = async (pin?: string) =>
    (
      await network.call(
        'POST',
        `/${phone_number_id}/register`,
        { messaging_product: 'whatsapp', pin },
        access_token,
      )
    ).body;
  expect(await look()).toEqual({ status: 'PENDING', is_pin_enabled: true, id: phone_number_id });
  expect((await network.send()).body.error.code).toBe(133010);
  expect((await register()).error.code).toBe(100);
  expect((await register('000000')).error.code).toBe(133005);
  expect(await register('482913')).toEqual({ success: true });
  expect(await look()).toMatchObject({ status: 'CONNECTED' });
  expect((await network.send()).status).toBe(200);
});

test('a field that the network does not have fails the whole look-up', async () => {
  const network = await startTestSimulator();
  const { phone_number_id, access_token } = network.number;
  const path = `/${phone_number_id}?fields=verified_name,no_such_field`;
  const response = await network.call('GET', path, undefined, access_token);
  expect([response.status, response.body.error.code]).toEqual([400, 100]);
});

test('a number shows its quality, its rate, and the messaging limit of its account', async () => {
  const network = await startTestSimulator();
  const { phone_number_id, business_account_id, access_token } = network.number;
  const second = await addNumber(network, { business_account_id });
  const fields =
    'quality_rating,quality_score{score},throughput,whatsapp_business_manager_messaging_limit';
  const look = async (id = phone_number_id) => {
    const path = `/${id}?fields=${fields},certificate`;
    return (await network.call('GET', path, undefined, access_token)).body;
  };
  const usual = {
    id: phone_number_id,
    quality_rating: 'GREEN',
    quality_score: { score: 'GREEN' },
    throughput: { level: 'STANDARD' },
    whatsapp_business_manager_messaging_limit: 'TIER_250',
  };
  expect(await look()).toEqual(usual);
  const change = (values: object) =>
    network.call('POST', '/simulator/numbers', { phone_number_id, ...values });
  await change({
    quality_rating: 'RED',
    messaging_limit: 'TIER_100K',
    limits: { messages_per_second: 1_000 },
  });
  expect(await look()).toEqual({
    ...usual,
    quality_rating: 'RED',
    quality_score: { score: 'RED' },
    throughput: { level: 'HIGH' },
    whatsapp_business_manager_messaging_limit: 'TIER_100K',
  });
  expect(await look(second.phone_number_id)).toEqual({
    ...usual,
    id: second.phone_number_id,
    whatsapp_business_manager_messaging_limit: 'TIER_100K',
  });
  expect((await change({ quality_rating: 'BLUE' })).status).toBe(400);
});

test('a blocked account blocks all of its numbers, and is reported once', async () => {
  const network = await startTestSimulator();
  const { business_account_id, phone_number_id, callback_url } = network.number;
  const second = await addNumber(network, { business_account_id, callback_url });
  const other = await addNumber(network, { callback_url });
  const block = (health_status: object | null) =>
    network.call('POST', '/simulator/numbers', { phone_number_id, health_status });
  const errorOf = async (number: SimulatedNumber) => {
    const path = `/${number.phone_number_id}/messages`;
    const text = { to: '+15551234567', type: 'text', text: { body: 'Hello' } };
    const body = { messaging_product: 'whatsapp', ...text };
    return (await network.call('POST', path, body, number.access_token)).body.error?.code;
  };
  await block({ can_send_message: 'BLOCKED', entities: [] });
  expect([await errorOf(network.number), await errorOf(second)]).toEqual([131031, 131031]);
  expect(await errorOf(await addNumber(network, { business_account_id }))).toBe(131031);
  expect(await errorOf(other)).toBeUndefined();
  await block(null);
  expect(await errorOf(second)).toBeUndefined();

  const states = () =>
    network.receiver.posts
      .flatMap(({ raw }) => JSON.parse(String(raw)).entry[0].changes)
      .filter(({ field }) => field === 'account_update')
      .map(({ value }) => value.ban_info.waba_ban_state);
  await eventually(async () => states().includes('REINSTATE'));
  expect(states()).toEqual(['DISABLE', 'REINSTATE']);
});

test('the numbers of an account are listed in pages', async () => {
  const network = await startTestSimulator();
  const numbers = [await addNumber(network), await addNumber(network), await addNumber(network)];
  const list = async (after = '') => {
    const path = `/${account}/phone_numbers?limit=2${after && `&after=${after}`}`;
    return (await network.call('GET', path, undefined, numbers[0]?.access_token)).body;
  };
  const first = await list();
  const second = await list(first.paging.cursors.after);
  expect(first.paging.next).toContain(`after=${first.paging.cursors.after}`);
  expect(second.paging.next).toBeUndefined();
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(
    numbers.map(({ phone_number_id }) => phone_number_id),
  );
  const query = async (text: string) => {
    const path = `/${account}/phone_numbers?${text}`;
    return (await network.call('GET', path, undefined, numbers[0]?.access_token)).body;
  };
  const { data } = await query(`limit=2&before=${second.paging.cursors.before}&fields=status`);
  expect(data).toEqual(first.data.map(({ id }: { id: string }) => ({ id, status: 'CONNECTED' })));
  expect((await query('fields=status,shoe_size')).error).toMatchObject({ code: 100 });
});
