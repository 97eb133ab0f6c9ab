import sql from 'sql-template-tag';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import { testApp } from '../../../test/program/app.ts';
import { startReceiver } from '../../../test/servers/receiver.ts';
import { disconnectNumber } from '../../numbers/connecting/disconnect-number.ts';
import { startDelivering } from '../delivering/start-delivering.ts';
import { measureDeliveries } from '../quota/measure-deliveries.ts';
import { recordEvents } from '../record-events.ts';
import { eventSelectors, eventTypes } from '../schema.ts';

const app = testApp({
  PARLEY_WEBHOOK_SCHEDULE: '0,3600',
  PARLEY_DELIVERY_QUOTA_WAITING: '40',
});
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let stop: () => Promise<void>;

beforeAll(async () => {
  receiver = await startReceiver();
  stop = startDelivering(app.services);
});
beforeEach(() => {
  receiver.answer = (_received, response) => response.writeHead(204).end();
});
afterAll(async () => {
  await stop();
  await receiver.close();
});

/** A tenant with an owner, and functions for its endpoints, which have paths of their own at the receiver. */
async function openShop({ number = false } = {}) {
  const shop = await app.tenant({ number });
  const owner = await signIn(app, shop);
  const urlOf = (name: string) => `${receiver.url}/${shop.slug}/${name}`;
  return {
    ...shop,
    owner,
    add: (name: string, more: object = {}) =>
      owner.call('POST', '/webhook/endpoints', {
        name,
        on: true,
        url: urlOf(name),
        events: [...eventTypes],
        ...more,
      }),
    set: (id: number, name: string, more: object = {}) =>
      owner.call('PUT', `/webhook?endpoint=${id}`, {
        on: true,
        url: urlOf(name),
        events: [...eventTypes],
        ...more,
      }),
    record: (...ids: number[]) =>
      recordEvents(
        app.db,
        shop.id,
        ids.map((id) => ({ type: 'contact.created', data: { id, phone: '+14155550123' } })),
      ),
    at: (name: string) => receiver.received.filter(({ path }) => path === `/${shop.slug}/${name}`),
    list: async () => (await owner.call('GET', '/webhook/endpoints')).body.data.endpoints,
    log: async (id: number) =>
      (await owner.call('GET', `/webhook/deliveries?endpoint=${id}`)).body.data.deliveries,
  };
}

describe('several endpoints', () => {
  test('get the events that each chose, with one webhook-id, secrets and logs of their own', async () => {
    const shop = await openShop();
    await shop.set(0, 'first');
    const { body: crm } = await shop.add('CRM', { events: ['contact.*', 'message.*'] });
    const { body: labels } = await shop.add('labels', { events: ['status.created'] });
    expect([crm.data.webhook, labels.data.webhook]).toMatchObject([
      { id: 1, name: 'CRM', events: ['contact.*', 'message.*'] },
      { id: 2, name: 'labels', events: ['status.created'] },
    ]);
    await shop.record(7);
    await eventually(async () => shop.at('first').length === 1 && shop.at('CRM').length === 1);
    const [[first], [second]] = [shop.at('first'), shop.at('CRM')];
    expect(second!.headers['webhook-id']).toMatch(/^evt_\d+_/);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    const headers = second!.headers as Record<string, string>;
    expect(new Webhook(crm.data.secret).verify(second!.raw, headers)).toEqual(first!.body);
    expect(() => new Webhook(labels.data.secret).verify(second!.raw, headers)).toThrow();
    expect(shop.at('labels')).toEqual([]);
    const [logged] = await shop.log(1);
    expect(logged).toMatchObject({
      webhook_id: headers['webhook-id'],
      event: 'contact.created',
    });
    const { body: found } = await shop.owner.call(
      'GET',
      `/webhook/deliveries?endpoint=1&id=${headers['webhook-id']}`,
    );
    expect(found.data.deliveries).toHaveLength(1);
    expect(await shop.log(2)).toEqual([]);

    const { body: rotated } = await shop.owner.call('POST', '/webhook/secret?endpoint=1');
    expect(rotated.data.secret).not.toBe(crm.data.secret);
    const list = await shop.list();
    expect(list).toMatchObject([
      { name: 'default', previous_secret_until: null, last: { event: 'contact.created' } },
      { name: 'CRM', previous_secret_until: expect.any(String), waiting: 0 },
      { name: 'labels', previous_secret_until: null, last: null },
    ]);
    expect(JSON.stringify(list)).not.toContain('whsec_');
  });

  test('do not delay each other: one that is gone is switched off, one that fails is retried', async () => {
    const shop = await openShop();
    await shop.set(0, 'first');
    await shop.add('gone');
    await shop.add('failing');
    receiver.answer = ({ path }, response) => {
      const status = path.endsWith('/gone') ? 410 : path.endsWith('/failing') ? 500 : 204;
      response.writeHead(status).end();
    };
    await shop.record(...Array.from({ length: 30 }, (_, index) => index));
    await eventually(async () => shop.at('first').length === 30);
    await eventually(async () => {
      const [first, gone, failing] = await shop.list();
      return first.on && first.failing_since === null && !gone.on && failing.failing_since !== null;
    });
    const test = await shop.owner.call('POST', '/webhook/test?endpoint=1');
    expect(test.body.code).toBe('validation_failed');
    expect((await shop.owner.call('POST', '/webhook/test')).status).toBe(200);
    const redelivered = await shop.owner.call('POST', '/webhook/redeliver?endpoint=2', {
      since: '2020-01-01T00:00:00Z',
    });
    expect(redelivered.body.data).toEqual({ deliveries: 0 });
  });

  test('share the quota, so that a full one leaves the others their room', async () => {
    const shop = await openShop();
    await shop.set(0, 'first');
    await shop.add('paused');
    await shop.owner.call('PUT', '/webhook/pause?endpoint=1', { paused: true });
    // The share of each is half of 40, so this is more than twice that of the paused one.
    await shop.record(...Array.from({ length: 45 }, (_, index) => index));
    await eventually(async () => shop.at('first').length === 45);
    await eventually(async () => (await shop.list())[0].waiting === 0);
    await measureDeliveries(app.services, undefined, { countEveryMs: 0 });
    expect(await shop.list()).toMatchObject([
      { on: true, waiting: 0 },
      { on: false, waiting: 45, off_reason: expect.stringContaining('More than 40 events wait') },
    ]);
    const { body } = await shop.owner.call('GET', '/webhook?endpoint=1');
    expect(body.data.quota).toMatchObject({ max_waiting: 20, recording: 'none' });
  });
});

test('a paused endpoint records events and sends them when it is resumed', async () => {
  const shop = await openShop();
  await shop.set(0, 'first');
  await shop.owner.call('PUT', '/webhook/pause', { paused: true });
  await shop.record(1, 2);
  await shop.add('other');
  await shop.record(3);
  await eventually(async () => shop.at('other').length === 1);
  expect(shop.at('first')).toEqual([]);
  expect((await shop.list())[0]).toMatchObject({ waiting: 3, paused_since: expect.any(String) });
  const { body } = await shop.owner.call('PUT', '/webhook/pause', { paused: false });
  expect(body.data.webhook).toMatchObject({ on: true, paused_since: null });
  await eventually(async () => shop.at('first').length === 3);
});

test('additional headers are sent with every delivery and never shown again', async () => {
  const shop = await openShop();
  const { body: added } = await shop.add('gateway', {
    headers: [
      { name: 'X-Gateway-Key', value: ' hush-hush ' },
      { name: 'authorization', value: 'Basic Zm9v' },
    ],
  });
  expect(added.data.webhook.header_names).toEqual(['x-gateway-key', 'authorization']);
  await shop.record(1);
  await eventually(async () => shop.at('gateway').length === 1);
  expect(shop.at('gateway')[0]!.headers).toMatchObject({
    'x-gateway-key': 'hush-hush',
    authorization: 'Basic Zm9v',
    'content-type': 'application/json',
  });
  // Settings without headers keep them; an empty list removes them.
  const { body: kept } = await shop.set(1, 'gateway');
  expect(kept.data.webhook.header_names).toEqual(['x-gateway-key', 'authorization']);
  expect(JSON.stringify([added, kept, await shop.list()])).not.toMatch(/hush|Zm9v/);
  const { rows } = await app.db.query<{ headers: Buffer }>(sql`
    select headers from webhooks where tenant_id = ${shop.id} and id = 1`);
  expect(rows[0]!.headers.toString('latin1')).not.toMatch(/hush|gateway/);
  await shop.set(1, 'gateway', { headers: [] });
  await shop.record(2);
  await eventually(async () => shop.at('gateway').length === 2);
  expect(shop.at('gateway')[1]!.headers).not.toHaveProperty('x-gateway-key');
});

test('an endpoint is removed with its log, and its id is not used again', async () => {
  const shop = await openShop();
  await shop.set(0, 'first');
  await shop.add('one');
  await shop.record(1);
  await eventually(async () => shop.at('one').length === 1 && shop.at('first').length === 1);
  expect((await shop.owner.call('DELETE', '/webhook?endpoint=1')).status).toBe(200);
  expect(await shop.list()).toMatchObject([{ id: 0 }]);
  const { rows } = await app.db.query(sql`
    select webhook_id from deliveries where tenant_id = ${shop.id}`);
  expect(rows).toEqual([{ webhook_id: 0 }]);
  expect((await shop.owner.call('DELETE', '/webhook?endpoint=1')).status).toBe(404);
  expect((await shop.add('one')).body.data.webhook.id).toBe(2);
});

test('a tenant has at most 20 endpoints, with the default one', async () => {
  const shop = await openShop();
  for (let each = 0; each < 20; each++) expect((await shop.add(`no. ${each}`)).status).toBe(200);
  for (const response of [await shop.add('one more'), await shop.set(0, 'first')]) {
    expect(response).toMatchObject({
      status: 422,
      body: { message: 'The limit of 20 webhook endpoints is reached. Remove one first.' },
    });
  }
});

test('a filter keeps a number that was disconnected', async () => {
  const shop = await openShop({ number: true });
  const filter = { events: ['message.*'], numbers: [shop.number.phone_number_id] };
  const { id } = (await shop.add('filtered', filter)).body.data.webhook;
  await disconnectNumber(app.db, shop.id, shop.number.phone_number_id);
  expect(await shop.list()).toMatchObject([filter]);
  // A form sends what it has got.
  const saved = await shop.set(id, 'filtered', filter);
  expect([saved.status, saved.body.data.webhook]).toMatchObject([200, filter]);
});

test('settings that cannot work are refused, with the reason', async () => {
  const [shop, other] = [await openShop({ number: true }), await openShop({ number: true })];
  await shop.set(0, 'first');
  await shop.add('CRM');
  const header = (name: string, value = 'x') => ({ headers: [{ name, value }] });
  const refusals: [settings: object, field: string, reason: string][] = [
    [{ name: 'crm ' }, 'name', 'already taken'],
    [{ name: 'Default' }, 'name', 'first endpoint'],
    [{ name: '   ' }, 'name', 'visible character'],
    [{ name: 'x'.repeat(61) }, 'name', 'at most 60'],
    [{ events: ['message.recieved'] }, 'events', `The events are ${eventSelectors.join(', ')}`],
    [{ events: ['messages.*'] }, 'events', 'message.*'],
    [{ events: [] }, 'events', 'at least one event'],
    [{ numbers: [other.number.phone_number_id] }, 'numbers', 'not a number of this tenant'],
    [{ kinds: ['txt'] }, 'kinds', 'Possible are text, image'],
    [{ causes: ['human'] }, 'causes', 'Possible are api, member'],
    [{ events: ['message.*'], gather_seconds: 61 }, 'gather_seconds', '1 to 60'],
    [{ events: ['message.*'], gather_seconds: 0 }, 'gather_seconds', '1 to 60'],
    [{ gather_seconds: 5 }, 'events', 'must have message.received'],
    [{ events: ['message.received_batch'] }, 'gather_seconds', 'must be given'],
    [header('Transfer-Encoding'), 'headers', 'Parley sets'],
    [header('connection'), 'headers', 'Parley sets'],
    [header('Webhook-Signature'), 'headers', 'Parley sets'],
    [header('content-type'), 'headers', 'Parley sets'],
    [header('Host'), 'headers', 'Parley sets'],
    [header('bad name'), 'headers', 'not the name of a header'],
    [header('x-key', 'a\r\nx-evil: 1'), 'headers', 'no line break'],
    [header('x-key', ''), 'headers', '1 to 4,096'],
    [{ headers: [...header('a').headers, ...header('A').headers] }, 'headers', 'twice'],
    [{ url: 'ftp://x.example' }, 'url', 'https'],
  ];
  for (const [settings, field, reason] of refusals) {
    const { status, body } = await shop.add('new', settings);
    expect([settings, status, Object.keys(body.errors)]).toEqual([settings, 422, [field]]);
    expect(body.errors[field].join()).toContain(reason);
    expect(JSON.stringify(body)).not.toContain('x-evil');
  }
  const own = { numbers: [shop.number.phone_number_id], kinds: ['text'], causes: ['bot'] };
  const { body } = await shop.add('new', { ...own, events: ['message.*'], gather_seconds: 60 });
  expect(body.data.webhook).toMatchObject({ ...own, gather_seconds: 60, ordered: false });
  // Another tenant's endpoint is the same as a missing one.
  for (const path of ['/webhook?endpoint=2', '/webhook/pause?endpoint=2']) {
    const change = {
      paused: true,
      on: true,
      url: 'https://hooks.example.com/',
      events: ['contact.*'],
    };
    expect((await other.owner.call('PUT', path, change)).status).toBe(404);
  }
});
