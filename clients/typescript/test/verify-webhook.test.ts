import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { type Received, startReceiver } from '../../../test/servers/receiver.ts';
import { createClient } from '../src/client.ts';
import { verifyWebhook, WebhookVerificationError } from '../src/verify-webhook.ts';
import { liveService } from './live-service.ts';

const live = liveService();
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let secret: string;
let received: Received;

beforeAll(async () => {
  receiver = await startReceiver();
  const set = ['webhook', 'set', live.tenant, '--url', receiver.url, '--json'];
  ({ secret } = JSON.parse(await live.place.parley(...set)));
  const parley = createClient(live);
  await parley.POST('/contacts', { body: { firstname: 'Zoë', phone: '+14155550188' } });
  received = await eventually(async () => receiver.received[0]);
});
afterAll(() => receiver.close());

test('an event that the service sent is verified and parsed', async () => {
  const event = await verifyWebhook(received.raw, received.headers, secret);
  if (event.event !== 'contact.created') throw new Error(`it is ${event.event}`);
  expect(event.data).toMatchObject({ firstname: 'Zoë', phone: '+14155550188' });
});

test('a body of bytes, fetch-style headers and several secrets are accepted', async () => {
  const headers = new Headers(received.headers as Record<string, string>);
  const other = `whsec_${btoa('another secret, of another time')}`;
  const bytes = new TextEncoder().encode(received.raw);
  expect(await verifyWebhook(bytes, headers, [other, secret])).toEqual(received.body);
});

test('the bytes of a fetch-style request are accepted, and a body that was parsed is a mistake of the receiver', async () => {
  const { buffer } = new TextEncoder().encode(received.raw);
  expect(await verifyWebhook(buffer, received.headers, secret)).toEqual(received.body);
  for (const parsed of [received.body, undefined, [1]]) {
    const verifying = verifyWebhook(parsed as unknown as string, received.headers, secret);
    await expect(verifying).rejects.toThrow(/^the body must be the unparsed one/);
    await expect(verifying).rejects.toBeInstanceOf(TypeError);
  }
});

test.each<[string, (request: { body: string; headers: Record<string, string> }) => void]>([
  ['a changed body', (request) => (request.body = request.body.replace('Zoë', 'Eve'))],
  ['another id', ({ headers }) => (headers['webhook-id'] = 'msg_other')],
  [
    'another time',
    ({ headers }) =>
      (headers['webhook-timestamp'] = String(Number(headers['webhook-timestamp']) - 1)),
  ],
  ['no time', ({ headers }) => (headers['webhook-timestamp'] = 'soon')],
  ['no signature', ({ headers }) => delete headers['webhook-signature']],
  ['a signature that is not base64', ({ headers }) => (headers['webhook-signature'] = 'v1,%%')],
  ['a signature of another scheme', ({ headers }) => (headers['webhook-signature'] = 'v2,c2ln')],
])('%s is refused', async (_name, spoil) => {
  const headers = { ...received.headers } as Record<string, string>;
  const request = { body: received.raw, headers };
  spoil(request);
  await expect(verifyWebhook(request.body, headers, secret)).rejects.toThrow(
    WebhookVerificationError,
  );
});

test.each([
  ['an old time', -301],
  ['a time in the future', 360],
])('%s is refused, although the signature matches', async (_name, fromNow) => {
  const at = new Date(Date.now() + fromNow * 1_000);
  const headers = {
    ...received.headers,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, received.raw),
    'webhook-id': 'msg_1',
  };
  await expect(verifyWebhook(received.raw, headers, secret)).rejects.toThrow(/too old, or its/);
  const tolerant = { toleranceSeconds: 3_600 };
  expect(await verifyWebhook(received.raw, headers, secret, tolerant)).toEqual(received.body);
});

test('headers are found with names in any case', async () => {
  const headers = Object.fromEntries(
    Object.entries(received.headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  expect(await verifyWebhook(received.raw, headers, secret)).toEqual(received.body);
});

test.each([undefined, '', 'whsec_', 'whsec_%%'])(
  'the malformed secret %s throws a TypeError',
  async (malformed) => {
    await expect(
      verifyWebhook(received.raw, received.headers, malformed as string),
    ).rejects.toThrow(/a webhook secret must be/);
  },
);

test('another secret is refused', async () => {
  const other = `whsec_${btoa('another secret, of another time')}`;
  await expect(verifyWebhook(received.raw, received.headers, other)).rejects.toThrow(
    /no signature matches/,
  );
});
