import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startTestSimulator } from '../test-simulator.ts';

test('a number is made with what is given, and changed without losing the rest', async () => {
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

test('a number that is taken off the network is gone with its messages', async () => {
  const network = await startTestSimulator();
  await network.send();
  const path = `/simulator/numbers/${network.number.phone_number_id}`;
  expect((await network.call('DELETE', path)).status).toBe(200);
  expect((await network.call('DELETE', path)).status).toBe(404);
  expect(await network.messages()).toEqual([]);
  expect((await network.send()).body.error.code).toBe(190);
});

test('messages are found by number and phone, and forgotten', async () => {
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

test('a page of another site cannot steer the network', async () => {
  const network = await startTestSimulator();
  const foreign = { origin: 'https://evil.example' };
  const path = `${network.url}/simulator/messages`;
  expect((await fetch(path, { method: 'DELETE', headers: foreign })).status).toBe(403);
  expect((await fetch(path, { headers: { origin: network.url } })).status).toBe(200);
});

test('a callback address is used once its verification came back', async () => {
  const network = await startTestSimulator();
  const { business_account_id, access_token } = network.number;
  const queries: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(String(request.url), 'http://localhost');
    queries.push(searchParams);
    const right = searchParams.get('hub.verify_token') === 'right';
    response.writeHead(right ? 200 : 403).end(right ? searchParams.get('hub.challenge') : '');
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
  const { numbers } = (await network.call('GET', '/simulator/numbers')).body;
  expect(numbers[0]).toMatchObject({ callback_url: override_callback_uri, verify_token: 'right' });
});

test('a path that the network does not know is its own kind of error', async () => {
  const network = await startTestSimulator();
  const { status, body } = await network.call('GET', '/v25.0/1/2/3');
  expect(status).toBe(400);
  expect(body.error.code).toBe(2500);
});
