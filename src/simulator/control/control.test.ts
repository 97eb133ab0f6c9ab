import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startTestSimulator } from '../../../test/servers/simulator.ts';

test('a number is created with given values, and a change keeps the others', async () => {
  const network = await startTestSimulator();
  const given = { phone_number_id: '123456789012345', access_token: 'EAAmine' };
  const made = (await network.call('POST', '/simulator/numbers', given)).body;
  expect(made).toMatchObject({ ...given, callback_url: null });
  const limits = { pair: false };
  const changed = await network.call('POST', '/simulator/numbers', {
    phone_number_id: given.phone_number_id,
    verified_name: 'Shop',
    limits,
  });
  expect(changed.body).toEqual({
    ...made,
    verified_name: 'Shop',
    limits: { ...made.limits, ...limits },
  });
});

test('removing a number removes its messages', async () => {
  const network = await startTestSimulator();
  await network.send();
  const path = `/simulator/numbers/${network.number.phone_number_id}`;
  expect((await network.call('DELETE', path)).status).toBe(200);
  expect((await network.call('DELETE', path)).status).toBe(404);
  expect(await network.messages()).toEqual([]);
  expect((await network.send()).body.error.code).toBe(190);
});

test('messages are listed by number and phone, and deleted', async () => {
  const network = await startTestSimulator();
  await network.send();
  await network.send({ to: '+15557654321' });
  const { body } = await network.call('GET', '/simulator/messages?to=%2B15557654321');
  expect(body.messages).toMatchObject([{ phone: '15557654321' }]);
  const none = await network.call('GET', '/simulator/messages?phone_number_id=1');
  expect(none.body.total).toBe(0);
  await network.call('DELETE', '/simulator/messages');
  expect(await network.messages()).toEqual([]);
});

test('a page of another site cannot control the network', async () => {
  const network = await startTestSimulator();
  const foreign = { origin: 'https://evil.example' };
  for (const folder of ['simulator', '%73imulator', 'v25.0/simulator']) {
    const path = `${network.url}/${folder}/messages`;
    expect((await fetch(path, { method: 'DELETE', headers: foreign })).status).toBe(403);
    expect((await fetch(path, { headers: { origin: network.url } })).status).toBe(200);
  }
});

test('a callback URL is that of an account once it is verified', async () => {
  const network = await startTestSimulator();
  const { business_account_id, access_token } = network.number;
  await network.call('POST', '/simulator/numbers', { business_account_id });
  const queries: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(String(request.url), 'http://localhost');
    queries.push(searchParams);
    const isRight = searchParams.get('hub.verify_token') === 'right';
    response.writeHead(isRight ? 200 : 403).end(isRight ? searchParams.get('hub.challenge') : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const override_callback_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
  const subscribe = (verify_token: string) =>
    network.call(
      'POST',
      `/v25.0/${business_account_id}/subscribed_apps`,
      { override_callback_uri, verify_token },
      access_token,
    );
  const refused = await subscribe('wrong');
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 2200 } } });
  expect(refused.body.error.error_data.details).toContain('HTTP Status Code = 403');
  expect((await subscribe('right')).body).toEqual({ success: true });
  expect(queries[0]?.get('hub.mode')).toBe('subscribe');
  const path = `/v25.0/${business_account_id}/subscribed_apps`;
  const subscribed = async () => (await network.call('GET', path, undefined, access_token)).body;
  expect(await subscribed()).toMatchObject({ data: [{ override_callback_uri }] });

  await network.call('DELETE', path, undefined, access_token);
  expect(await subscribed()).toEqual({ data: [] });
});

test('an unknown path of the network has its own error code', async () => {
  const network = await startTestSimulator();
  for (const path of ['/v25.0/1/2/3', '/v25.0/%']) {
    const { status, body } = await network.call('GET', path);
    expect(status).toBe(400);
    expect(body.error.code).toBe(2500);
  }
});

test.each<[string, string, object | undefined]>([
  ['an empty batch', '/simulator/behaviour', { batch: 0 }],
  ['a million copies', '/simulator/behaviour', { duplicate: 1_000_000 }],
  ['a status that is not an HTTP error', '/simulator/behaviour', { status: 200 }],
  ['a status above 599', '/simulator/behaviour', { lookupStatus: 99_999 }],
  ['a delay longer than a timer', '/simulator/behaviour', { delayMs: 3_000_000_000 }],
  ['a negative delay', '/simulator/behaviour', { retryDelaysMs: [-5] }],
  ['a number that may never send', '/simulator/numbers', { limits: { messages_per_second: 0 } }],
  ['a number without a token', '/simulator/numbers', { access_token: '' }],
  ['half a URL', '/simulator/numbers', { callback_url: 'http://' }],
  [
    'buttons that are not an array',
    '/simulator/templates',
    {
      business_account_id: '12345',
      name: 'odd',
      language: 'en',
      components: [{ type: 'BUTTONS', buttons: 5 }],
    },
  ],
  ['a limit that is not a number', '/simulator/messages?limit=some', undefined],
])('%s is rejected', async (_name, path, body) => {
  const network = await startTestSimulator();
  const response = await network.call(body ? 'POST' : 'GET', path, body);
  expect(response).toMatchObject({ status: 400, body: { error: expect.any(String) } });
});

test('limit selects the latest messages, and 0 selects none', async () => {
  const network = await startTestSimulator();
  await network.send();
  await network.send({ to: '+15557654321' });
  const listed = async (limit: number) =>
    (await network.call('GET', `/simulator/messages?limit=${limit}`)).body.messages;
  expect(await listed(1)).toMatchObject([{ phone: '15557654321' }]);
  expect(await listed(0)).toEqual([]);
});

test('a number is unchanged if its new callback URL is not verified', async () => {
  const network = await startTestSimulator();
  const { phone_number_id } = network.number;
  const change = { phone_number_id, callback_url: 'http://127.0.0.1:1/', verify: true };
  expect((await network.call('POST', '/simulator/numbers', change)).status).toBe(400);
  const { numbers } = (await network.call('GET', '/simulator/numbers')).body;
  expect(numbers).toEqual([network.number]);
});

test('a status for a missing template creates no account', async () => {
  const network = await startTestSimulator();
  const change = { business_account_id: '54321', name: 'hello_world', status: 'PAUSED' };
  expect((await network.call('PATCH', '/simulator/templates', change)).status).toBe(404);
  const path = '/simulator/templates?business_account_id=54321';
  expect((await network.call('GET', path)).body.templates).toEqual([]);
});

test('an unknown path of the control API has an error in its own format', async () => {
  const network = await startTestSimulator();
  for (const path of ['/simulator/nothing', '/simulator/messages/%']) {
    const response = await network.call('GET', path);
    expect(response).toEqual({ status: 404, body: { error: 'no such path' } });
  }
});
