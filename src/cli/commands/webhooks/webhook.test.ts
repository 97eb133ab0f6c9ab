import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { testApp } from '../../../../test/program/app.ts';
import { testCommand } from '../../../../test/program/command.ts';
import { startReceiver } from '../../../../test/servers/receiver.ts';
import { startDelivering } from '../../../webhooks/delivering/start-delivering.ts';
import { recordEvents } from '../../../webhooks/record-events.ts';
import { webhookCommands } from './webhook.ts';

const app = testApp({ PARLEY_WEBHOOK_SCHEDULE: '0,0.05' });
const { parley } = testCommand(app, webhookCommands, () => ({
  PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
}));
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let stop: () => Promise<void>;

beforeAll(async () => {
  receiver = await startReceiver();
  stop = startDelivering(app.services);
});
beforeEach(() => {
  receiver.answer = (_received, response) => response.writeHead(200).end('ok');
});
afterAll(async () => {
  await stop();
  await receiver.close();
});

async function shopWithWebhook(...options: string[]) {
  const shop = await app.tenant({ number: false });
  const url = `${receiver.url}/${shop.slug}`;
  const set = await parley('set', shop.slug, '--url', url, ...options);
  const record = (type: 'contact.created' | 'status.deleted', id: number) =>
    recordEvents(app.db, shop.id, [{ type, data: { id } }]);
  return { ...shop, url, set, record };
}

const deliveriesIn = (slug: string, state: string, count: number) =>
  eventually(async () => {
    const { deliveries } = await parley('deliveries', slug, '--state', state);
    return deliveries.length === count && deliveries;
  });

test('http:// to a public host is refused, although private addresses are allowed', async () => {
  const { slug } = await app.tenant({ number: false });
  await expect(parley('set', slug, '--url', 'http://93.184.215.14/x')).rejects.toThrow(
    'url cannot be called: http:// is only for private addresses, and 93.184.215.14 is public. Use https://.',
  );
});

test('a webhook is set, shown without its secret, and switched off and on again', async () => {
  const shop = await shopWithWebhook('--events', 'contact.created,status.deleted');
  expect(shop.set).toMatchObject({
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    url: shop.url,
    events: ['contact.created', 'status.deleted'],
    state: 'on',
  });
  const shown = await parley('show', shop.slug);
  expect(JSON.stringify(shown)).not.toContain('whsec_');
  expect(shown.webhook).toEqual(shop.set.webhook);

  expect(await parley('off', shop.slug)).toMatchObject({
    state: 'off',
    reason: 'Switched off by hand.',
  });
  const again = await parley('set', shop.slug, '--url', shop.url);
  expect(again).toMatchObject({ state: 'on', events: ['contact.created', 'status.deleted'] });
  expect(again.secret).toBe(shop.set.secret);

  const rotated = await parley('rotate-secret', shop.slug);
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(shop.set.secret);
});

test('deliveries are listed with their attempts, and filtered by event, state and time', async () => {
  const shop = await shopWithWebhook();
  receiver.answer = (received, response) =>
    response.writeHead(received.body.event === 'status.deleted' ? 500 : 200).end('said');
  await shop.record('contact.created', 1);
  // Times have milliseconds, so the two deliveries need different ones.
  await sleep(5);
  await shop.record('status.deleted', 2);
  const [failed] = await deliveriesIn(shop.slug, 'failed', 1);
  expect(failed).toEqual({
    id: expect.any(Number),
    webhook_id: expect.stringMatching(/^evt_/),
    event: 'status.deleted',
    state: 'failed',
    reason: 'The receiver responded with 500.',
    created_at: expect.stringMatching(/Z$/),
    next_try_at: null,
    finished_at: expect.stringMatching(/Z$/),
    attempts: [
      {
        number: 1,
        started_at: expect.stringMatching(/Z$/),
        duration_ms: expect.any(Number),
        status: 500,
        reason: 'The receiver responded with 500.',
        answer: 'said',
        next_try_at: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ number: 2, next_try_at: null }),
    ],
  });
  const [delivered] = await deliveriesIn(shop.slug, 'delivered', 1);
  expect(delivered).toMatchObject({ event: 'contact.created', reason: null });

  const find = async (...options: string[]) => {
    const { deliveries } = await parley('deliveries', shop.slug, ...options);
    return deliveries.map(({ event }: { event: string }) => event);
  };
  expect(await find()).toEqual(['status.deleted', 'contact.created']);
  expect(await find('--limit', '1')).toEqual(['status.deleted']);
  for (const limit of ['1e3', '0x10', ' 5', '0', '10001']) {
    await expect(find('--limit', limit)).rejects.toThrow('an integer from 1 to 10000');
  }
  expect(await find('--event', 'contact.created')).toEqual(['contact.created']);
  for (const id of [failed.webhook_id, String(failed.id)]) {
    expect(await find('--id', id)).toEqual(['status.deleted']);
  }
  expect(await find('--id', `${failed.webhook_id.slice(0, -4)}aaaa`)).toEqual([]);
  expect(await find('--id', `msg_${failed.id}_aaaa`)).toEqual([]);
  expect(await find('--since', '1h')).toHaveLength(2);
  expect(await find('--since', failed.created_at)).toEqual(['status.deleted']);
  expect(await find('--until', failed.created_at)).toEqual(['contact.created']);
  const inHalifax = new Date(Date.parse(failed.created_at) - 4 * 3_600_000).toISOString();
  expect(await find('--since', inHalifax.replace('Z', '-04:00'))).toEqual(['status.deleted']);
  expect(await find('--since', failed.created_at.replace('Z', ''))).toEqual(['status.deleted']);
  for (const longAgo of ['0000-01-01', '2001-07-01T00:00Z', '999999d']) {
    expect(await find('--since', longAgo)).toHaveLength(2);
    expect(await find('--until', longAgo)).toEqual([]);
  }
});

test('one delivery, the failed ones, or those of a period are sent again', async () => {
  const shop = await shopWithWebhook();
  receiver.answer = (_received, response) => response.writeHead(500).end();
  for (const id of [1, 2, 3]) await shop.record('contact.created', id);
  const [newest] = await deliveriesIn(shop.slug, 'failed', 3);
  receiver.answer = (_received, response) => response.writeHead(200).end();

  expect(await parley('redeliver', shop.slug, newest.webhook_id)).toEqual({ redelivered: 1 });
  const [delivered] = await deliveriesIn(shop.slug, 'delivered', 1);
  expect(delivered.webhook_id).toBe(newest.webhook_id);
  expect(await parley('redeliver', shop.slug, '--failed', '--since', '1h')).toEqual({
    redelivered: 2,
  });
  await deliveriesIn(shop.slug, 'delivered', 3);
  expect(await parley('redeliver', shop.slug, '--failed')).toEqual({ redelivered: 0 });
  expect(await parley('redeliver', shop.slug, '--since', '1h')).toEqual({ redelivered: 3 });
  await deliveriesIn(shop.slug, 'delivered', 3);
  await app.db.query(sql`
    insert into deliveries (tenant_id, event, body, due_at)
    values (${shop.id}, 'contact.created', '{"event":"contact.created","data":{"id":4}}', now() + interval '1 day')`);
  expect(await parley('redeliver', shop.slug, '--waiting')).toEqual({ redelivered: 1 });
  await deliveriesIn(shop.slug, 'delivered', 4);
});

test('a test event is sent and its outcome printed', async () => {
  const shop = await shopWithWebhook();
  expect(await parley('test', shop.slug)).toMatchObject({
    state: 'delivered',
    event: 'webhook.test',
    attempts: [{ status: 200, answer: 'ok' }],
  });
  const sent = receiver.received.find(({ path }) => shop.url.endsWith(path))!;
  expect(
    new Webhook(shop.set.secret).verify(sent.raw, sent.headers as Record<string, string>),
  ).toMatchObject({ event: 'webhook.test' });

  receiver.answer = (_received, response) => response.writeHead(500).end();
  const message = 'The receiver responded with 500.';
  await expect(parley('test', shop.slug)).rejects.toThrow(`Not delivered: ${message}`);
  const [failed] = await deliveriesIn(shop.slug, 'failed', 1);
  expect(failed).toMatchObject({ event: 'webhook.test', reason: message });

  await parley('pause', shop.slug);
  await expect(parley('test', shop.slug)).rejects.toThrow('The webhook is paused');
});

test('mistakes are reported in one line', async () => {
  const shop = await app.tenant({ number: false });
  await expect(parley('show', shop.slug)).rejects.toThrow(`${shop.slug} has no webhook.`);
  const redelivered = parley('redeliver', shop.slug, '--failed');
  await expect(redelivered).rejects.toThrow(`${shop.slug} has no webhook.`);
  await expect(parley('show', 'nobody')).rejects.toThrow('There is no tenant "nobody"');
  await shopWithWebhook().then(async ({ slug }) => {
    await expect(parley('redeliver', slug)).rejects.toThrow('Give the id of a delivery');
    for (const id of ['99999999', 'msg_1_aaaa']) {
      const message = `${slug} has no such delivery ${id}.`;
      await expect(parley('redeliver', slug, id)).rejects.toThrow(message);
    }
    await expect(parley('redeliver', slug, 'x')).rejects.toThrow('"x" is not the id');
    await expect(parley('deliveries', slug, '--state', 'lost')).rejects.toThrow('no state "lost"');
    const unknown = parley('deliveries', slug, '--event', 'nonsense');
    await expect(unknown).rejects.toThrow(
      'There is no event "nonsense". The events are contact.created,',
    );
    for (const noTime of [
      'soon',
      '7',
      'order 1042',
      '21 Nov 2026',
      '2026-11',
      '2026-02-30',
      '2026-11-21T25:00Z',
      '2026-11-21T10:00+25:00',
      '-200000-01-01T00:00:00Z',
      '+275760-09-13T00:00:00Z',
      '',
    ]) {
      for (const command of ['deliveries', 'redeliver']) {
        const mistake = parley(command, slug, `--since=${noTime}`, '--until', '1h');
        await expect(mistake, noTime).rejects.toThrow(`"${noTime}" is not a time`);
      }
    }
  });
});
