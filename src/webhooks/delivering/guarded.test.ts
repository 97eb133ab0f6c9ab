import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import { testApp } from '../../../test/program/app.ts';
import { startReceiver } from '../../../test/servers/receiver.ts';
import { createOutbound, type Outbound } from '../../platform/outbound/outbound.ts';
import { loadTls } from '../../platform/tls/load-tls.ts';
import { defaultEndpointOf } from '../endpoint-key.ts';
import { listAttempts, listDeliveries } from '../log/delivery-log-queries.ts';
import { recordEvents } from '../record-events.ts';
import { setWebhook } from '../set-webhook.ts';
import { startDelivering } from './start-delivering.ts';

const app = testApp({
  PARLEY_WEBHOOK_SCHEDULE: '0,0.1',
  PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1/32',
});
/** The DNS records of this test, which change while it runs. */
const addresses = new Map<string, string>();
let outbound: Outbound;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let stop: () => Promise<void>;

beforeAll(async () => {
  receiver = await startReceiver();
  outbound = createOutbound({
    allowPrivate: app.services.config.allowPrivateAddresses,
    lookup: async (host) => [addresses.get(host) ?? host],
  });
  stop = startDelivering({ ...app.services, outbound });
});
afterAll(async () => {
  await stop();
  await outbound.close();
  await receiver.close();
});

/**
 * Sends one event to this address, and returns its attempts after the last one.
 *
 * @param changeDns is called after the webhook is set and before the event
 */
async function attemptsAt(url: string, changeDns?: () => void) {
  const { id: tenantId } = await app.tenant({ number: false });
  await setWebhook({ ...app.services, outbound }, tenantId, { url });
  changeDns?.();
  await recordEvents(app.db, tenantId, [{ type: 'status.created', data: { id: 1 } }]);
  const delivery = await eventually(async () => {
    const [newest] = await listDeliveries(app.db, defaultEndpointOf(tenantId), {}, 1);
    return newest?.state === 'failed' ? newest : undefined;
  });
  return listAttempts(app.db, tenantId, [delivery.id]);
}

test('an http:// delivery goes to no public address, even if its name was private when it was set', async () => {
  const url = new URL(receiver.url);
  url.hostname = 'moved.test';
  addresses.set('moved.test', '127.0.0.1');
  const attempts = await attemptsAt(url.href, () => addresses.set('moved.test', '93.184.215.14'));
  expect(attempts.map(({ reason }) => reason)).toEqual(
    Array(2).fill('http:// is only for private addresses, and moved.test is public. Use https://.'),
  );
});

describe('a delivery goes to no private address', () => {
  test('if the name resolves to another address at the next attempt', async () => {
    const url = new URL(`${receiver.url}/rebound`);
    url.hostname = 'rebound.test';
    addresses.set('rebound.test', '127.0.0.1');
    receiver.answer = (_received, response) => {
      addresses.set('rebound.test', '127.0.0.2');
      response.writeHead(500, { connection: 'close' }).end();
    };
    expect(await attemptsAt(url.href)).toMatchObject([
      { status: 500 },
      {
        status: null,
        answer: null,
        reason: 'rebound.test is not a public address (this machine itself).',
      },
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  test('if the name resolves to the metadata address of cloud machines', async () => {
    addresses.set('metadata.test', '169.254.169.254');
    const attempts = await attemptsAt('https://metadata.test/latest');
    expect(attempts.map(({ reason }) => reason)).toEqual(
      Array(2).fill(
        'metadata.test is not a public address (the local network, where cloud machines find their secrets).',
      ),
    );
  });
});

test('a receiver with an untrusted certificate gets no request', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-receiver-'));
  let requests = 0;
  const server = createServer(await loadTls({ dataDir, names: ['untrusted.test'] }), () => {
    requests++;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  addresses.set('untrusted.test', '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  const [attempt] = await attemptsAt(`https://untrusted.test:${port}/`);
  expect(attempt).toMatchObject({ status: null, reason: expect.stringMatching(/certificate/i) });
  expect(requests).toBe(0);
  server.close();
  await rm(dataDir, { recursive: true });
});

test('the log explains that a port does not speak TLS', async () => {
  const server = createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const reasons = (await attemptsAt(`https://127.0.0.1:${port}/`)).map(({ reason }) => reason);
  expect(reasons).toEqual(Array(2).fill('This port does not speak TLS.'));
  server.close();
});

describe('a webhook cannot be set to', () => {
  test.each([
    ['nonsense', 'must be an https:// address'],
    ['ftp://shop.test/', 'must be an https:// address'],
    ['https://user:secret@shop.test/', 'must not contain a user name or a password'],
    ['https://:secret@shop.test/', 'must not contain a user name or a password'],
    ['https://shop.test./', 'must not have a host that ends with a dot'],
    ['https://10.0.0.1/', 'cannot be called: 10.0.0.1 is not a public address'],
    ['https://0x7f.2/', 'cannot be called: 127.0.0.2 is not a public address'],
    ['https://[::1]/', 'cannot be called: ::1 is not a public address'],
    ['https://[::ffff:127.0.0.2]/', 'is not a public address'],
    [
      'http://93.184.215.14/',
      'cannot be called: http:// is only for private addresses, and 93.184.215.14 is public. Use https://.',
    ],
    [`https://shop.test/${'x'.repeat(2_048)}`, 'must have at most 2048 characters'],
  ])('%s', async (url, message) => {
    const { id } = await app.tenant({ number: false });
    await expect(setWebhook(app.services, id, { url })).rejects.toMatchObject({
      status: 422,
      errors: { url: [expect.stringContaining(message)] },
    });
  });

  test.each([
    ['https://localhost/', 'cannot be called: localhost is not a public address'],
    ['https://any.localhost/', 'cannot be called: any.localhost is not a public address'],
    ['http://shop.test/', 'must be an https:// address'],
  ])('%s if no private address is allowed', async (url, message) => {
    const { id } = await app.tenant({ number: false });
    const strict = createOutbound({ allowPrivate: [] });
    const services = {
      ...app.services,
      outbound: strict,
      config: { ...app.services.config, allowPrivateAddresses: [] },
    };
    await expect(setWebhook(services, id, { url })).rejects.toMatchObject({
      status: 422,
      errors: { url: [expect.stringContaining(message)] },
    });
    await strict.close();
  });

  test.each([
    [
      'a public address',
      ['93.184.215.14'],
      'cannot be called: http:// is only for private addresses, and http.test is public. Use https://.',
    ],
    [
      'a public and a private address',
      ['127.0.0.1', '93.184.215.14'],
      'cannot be called: http:// is only for private addresses, and http.test is public. Use https://.',
    ],
    ['a private network that is not allowed', ['10.0.0.1'], 'http.test is not a public address'],
    [
      'no address yet',
      [],
      'cannot be called: http.test has no address. http:// is only for private addresses. Use https://.',
    ],
  ])('http:// and a name that resolves to %s', async (_, found, message) => {
    const { id } = await app.tenant({ number: false });
    const set = (url: string, addresses: string[]) => {
      const { allowPrivateAddresses: allowPrivate } = app.services.config;
      const outbound = createOutbound({ allowPrivate, lookup: async () => addresses });
      return setWebhook({ ...app.services, outbound }, id, { url });
    };
    await expect(set('http://http.test/hook', found)).rejects.toMatchObject({
      status: 422,
      errors: { url: [expect.stringContaining(message)] },
    });
    // With https://, the address of each connection is checked instead.
    await set('https://http.test/hook', found);
    await set('http://http.test/hook', ['127.0.0.1']);
  });

  test('http:// and a public address in the dashboard', async () => {
    const owner = await signIn(app, await app.tenant({ number: false }));
    const response = await owner.call('PUT', '/webhook', {
      on: true,
      url: 'http://93.184.215.14/',
      events: ['contact.created'],
    });
    expect([response.status, response.body.errors]).toEqual([
      422,
      { url: [expect.stringContaining('http:// is only for private addresses')] },
    ]);
  });

  test('events that do not exist', async () => {
    const { id } = await app.tenant({ number: false });
    const url = 'https://shop.test/';
    for (const events of [['contact.created', 'contact.sold'], []]) {
      await expect(setWebhook(app.services, id, { url, events })).rejects.toMatchObject({
        status: 422,
        errors: { events: [expect.any(String)] },
      });
    }
  });
});
