import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { signIn } from '../../../test/features/sign-in.ts';
import { call, type TestTenant, testApp } from '../../../test/program/app.ts';
import { control, misbehave } from '../../../test/servers/control.ts';
import { createByteBudget } from '../../platform/http/bodies/byte-budget.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';
import { callbackRoutes } from './callback-routes.ts';

const logged: string[] = [];
const app = testApp({}, pino({ level: 'warn' }, { write: (line) => void logged.push(line) }));
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };

/** Finds the app secret of a tenant's simulated number, with which the network signs callbacks. */
async function appSecretOf(shop: TestTenant): Promise<string> {
  const { numbers } = await control(app, 'GET', '/simulator/numbers');
  const id = shop.number.phone_number_id;
  return numbers.find((number: { phone_number_id: string }) => number.phone_number_id === id)
    .app_secret;
}

async function post(shop: TestTenant, body: string, signature?: string) {
  const signed = createHmac('sha256', await appSecretOf(shop))
    .update(body)
    .digest('hex');
  return call(app, 'POST', `/whatsapp/callbacks/${shop.number.callback_id}`, body, {
    'x-hub-signature-256': signature ?? `sha256=${signed}`,
  });
}

function statusesBody(phoneNumberId: string, statuses: object[]): string {
  const value = {
    messaging_product: 'whatsapp',
    metadata: { phone_number_id: phoneNumberId },
    statuses,
  };
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'messages', value }] }],
  }).replaceAll('/', '\\/');
}

/** Sends a message for which the simulator sends no callbacks, so that the test can send them. */
async function silentMessage(shop: TestTenant): Promise<string> {
  await misbehave(app, shop, { callbacks: false });
  const sent = await shop.call('POST', '/messages/send', text);
  return sent.body.data.message_id;
}

const lookUp = async (shop: TestTenant, id: string) =>
  (await shop.call('GET', `/messages/${encodeURIComponent(id)}`)).body.data;

const at = (second: number) => String(1_790_000_000 + second);

describe('the verification of a callback URL', () => {
  test('returns the bare challenge for the right token, and 403 or 404 otherwise', async () => {
    const shop = await app.tenant();
    const ask = (id: string, token: string, mode = 'subscribe') =>
      call(
        app,
        'GET',
        `/whatsapp/callbacks/${id}?hub.mode=${mode}&hub.verify_token=${token}&hub.challenge=12345`,
      );
    const { callback_id: id, verify_token: token } = shop.number;

    const verified = await ask(id, token);
    expect({ status: verified.status, body: verified.body }).toEqual({
      status: 200,
      body: '12345',
    });
    expect((await ask(id, 'wrong')).status).toBe(403);
    expect((await ask(id, token, 'other')).status).toBe(403);
    expect((await ask('unknown', token)).status).toBe(404);
    expect((await ask(id, `${token}&hub.challenge=1`)).status).toBe(400);
    expect((await ask(id, `${token}&hub.verify_token=${token}`)).status).toBe(403);
    expect((await ask(id, '')).status).toBe(403);
  });
});

describe('a callback', () => {
  test('with a wrong signature, none, or one with another secret is 401 and changes nothing', async () => {
    const shop = await app.tenant();
    const neighbour = await app.tenant();
    const id = await silentMessage(shop);
    const body = statusesBody(shop.number.phone_number_id, [
      { id, status: 'read', timestamp: at(1) },
    ]);
    const foreign = createHmac('sha256', await appSecretOf(neighbour))
      .update(body)
      .digest('hex');
    for (const signature of [
      '',
      'sha256=',
      'sha256=00',
      `sha256=${'0'.repeat(64)}`,
      `sha256=${foreign}`,
      foreign,
    ]) {
      expect((await post(shop, body, signature)).status).toBe(401);
    }
    expect((await lookUp(shop, id)).status).toBe('sent');
    expect((await post(shop, body)).status).toBe(200);
    expect((await lookUp(shop, id)).status).toBe('read');
  });

  test('to an unknown URL is 404', async () => {
    expect((await call(app, 'POST', '/whatsapp/callbacks/unknown', '{}')).status).toBe(404);
  });

  test('to a number that is deleted with its tenant at the same time is 404', async () => {
    const shop = await app.tenant();
    const phoneNumberId = shop.number.phone_number_id;
    const writes = (id: string) => {
      const messages = [{ id, from: '14155550123', timestamp: at(1), type: 'text', text: {} }];
      const value = { metadata: { phone_number_id: phoneNumberId }, messages };
      const changes = [{ field: 'messages', value }];
      return JSON.stringify({ entry: [{ changes }] });
    };
    const template = JSON.stringify({
      entry: [{ id: '1', changes: [{ field: 'message_template_quality_update', value: {} }] }],
    });
    expect((await post(shop, writes('wamid.before'))).status).toBe(200);
    await app.db.pool.query('delete from tenants where id = $1', [shop.id]);
    for (const body of [writes('wamid.after'), template]) {
      expect((await post(shop, body)).status).toBe(404);
    }
  });

  test('about an unknown number or message is accepted and changes nothing', async () => {
    const [shop, neighbour] = [await app.tenant(), await app.tenant()];
    const [ours, theirs] = [await silentMessage(shop), await silentMessage(neighbour)];
    const status = { id: theirs, status: 'read', timestamp: at(1) };
    // A valid callback of one tenant must not change another tenant's messages.
    const reference = { ...status, biz_opaque_callback_data: `${neighbour.id}.1` };
    for (const [number, report] of [
      ['404404404', status],
      ['404404404', { ...status, id: ours }],
      [neighbour.number.phone_number_id, { ...status, id: ours }],
      [neighbour.number.phone_number_id, status],
      [shop.number.phone_number_id, status],
      [shop.number.phone_number_id, reference],
      [shop.number.phone_number_id, { ...status, id: 'wamid.unknown' }],
    ] as const) {
      expect((await post(shop, statusesBody(number, [report]))).status).toBe(200);
    }
    expect((await lookUp(neighbour, theirs)).status).toBe('sent');
    expect((await lookUp(shop, ours)).status).toBe('sent');
  });

  test('about many unknown numbers is logged in one line', async () => {
    const shop = await app.tenant();
    const changes = Array.from({ length: 50 }, (_, n) => ({
      field: 'messages',
      value: { metadata: { phone_number_id: `5050${n}` } },
    }));
    await post(shop, JSON.stringify({ entry: [{ changes }] }));
    const lines = logged.filter((line) => line.includes('"phoneNumberId":"5050'));
    expect(lines.map((line) => JSON.parse(line).count)).toEqual([50]);
  });

  test('in any order, repeated, or with skipped steps never moves a delivery status backwards', async () => {
    const shop = await app.tenant();
    const id = await silentMessage(shop);
    const report = (status: string, second: number) =>
      post(
        shop,
        statusesBody(shop.number.phone_number_id, [{ id, status, timestamp: at(second) }]),
      );

    await report('read', 9);
    expect(await lookUp(shop, id)).toEqual({
      message_id: id,
      status: 'read',
      timestamp: '2026-09-21T14:13:29.000Z',
      id: expect.any(Number),
      reference: null,
      timeline: expect.arrayContaining([{ status: 'read', at: '2026-09-21T14:13:29.000Z' }]),
    });
    await report('delivered', 5);
    await report('sent', 1);
    await report('failed', 7);
    await report('read', 12);
    expect(await lookUp(shop, id)).toMatchObject({
      status: 'read',
      timestamp: '2026-09-21T14:13:29.000Z',
    });
  });

  test.each([undefined, 'soon', '999999999999999'])(
    'with an invalid time (%j) gets the time of its receipt',
    async (timestamp) => {
      const shop = await app.tenant();
      const id = await silentMessage(shop);
      const sent = Date.parse((await lookUp(shop, id)).timestamp);
      const read = { id, status: 'read', timestamp };
      await post(shop, statusesBody(shop.number.phone_number_id, [read]));
      const { status, timestamp: shown } = await lookUp(shop, id);
      expect(status).toBe('read');
      expect(Date.parse(shown)).toBeGreaterThanOrEqual(sent);
      expect(Date.parse(shown)).toBeLessThanOrEqual(Date.now());
    },
  );

  test('that reports a failure leads to an error with the network’s code and message', async () => {
    const shop = await app.tenant();
    const id = await silentMessage(shop);
    const errors = [
      {
        code: 131026,
        title: 'Message undeliverable',
        error_data: { details: 'Not on \0WhatsApp' },
      },
    ];
    await post(
      shop,
      statusesBody(shop.number.phone_number_id, [
        { id, status: 'failed', timestamp: at(3), errors },
      ]),
    );
    expect(await lookUp(shop, id)).toEqual({
      message_id: id,
      status: 'failed',
      timestamp: '2026-09-21T14:13:23.000Z',
      id: expect.any(Number),
      error: {
        code: 131026,
        title: 'Message undeliverable',
        details: 'Not on WhatsApp',
        message: expect.stringMatching(/WhatsApp/),
        retryable: false,
      },
      reference: null,
      timeline: expect.arrayContaining([{ status: 'failed', at: '2026-09-21T14:13:23.000Z' }]),
    });
  });

  test('with an impossible code does not break statements that read all messages', async () => {
    const shop = await app.tenant();
    for (const code of [9_000_000_000, 1.5, '131026', { toString: 1 }]) {
      const id = await silentMessage(shop);
      const failed = { id, status: 'failed', timestamp: at(3), errors: [{ code, title: 'x' }] };
      const body = statusesBody(shop.number.phone_number_id, [failed]);
      expect((await post(shop, body)).status).toBe(200);
      expect((await lookUp(shop, id)).status).toBe('failed');
    }
    // Earlier versions stored it like this. The outcome is recorded when the message changes and when it
    // is deleted.
    await app.db.query(sql`
      update stored_messages set error = '{"code": 9000000000, "title": "x"}',
                          created_at = created_at - interval '1 hour'
      where tenant_id = ${shop.id}`);
    await app.db.query(sql`delete from messages where tenant_id = ${shop.id}`);
  });

  test.each([
    ['no error', undefined, 'Failed for an unknown reason'],
    ['without a code', [{ title: 'Something broke' }], 'Something broke'],
    ['one with a fractional code', [{ code: 1.5, title: 'Half' }], 'Half'],
    ['one with an impossibly large code', [{ code: 1e12, title: 'Vast' }], 'Vast'],
  ])(
    'that reports a failure with an error like this (%s) stores no code',
    async (_, errors, title) => {
      const shop = await app.tenant();
      const id = await silentMessage(shop);
      // Old enough that a changed outcome is recorded.
      await app.db.pool.query(
        `update stored_messages set created_at = now() - interval '1 hour' where tenant_id = $1`,
        [shop.id],
      );
      const report = { id, status: 'failed', timestamp: at(3), errors };
      const response = await post(shop, statusesBody(shop.number.phone_number_id, [report]));
      expect(response.status).toBe(200);
      expect((await lookUp(shop, id)).error).toMatchObject({ code: null, title, details: null });
      const member = await signIn(app, shop);
      expect((await member.call('GET', '/overview')).body.data.failures).toMatchObject([
        { code: null, title },
      ]);
    },
  );

  test.each([
    ['FLAGGED', 'APPROVED'],
    ['REINSTATED', 'APPROVED'],
    ['paused', 'PAUSED'],
  ])(
    'with the template event %s leaves the template %s, and schedules a sync',
    async (event, status) => {
      const shop = await app.tenant();
      await syncTemplates(app.services, shop.id);
      await app.db.pool.query(
        `update template_syncs set due_at = now() + interval '1 hour', synced_at = now() - interval '1 hour'
         where tenant_id = $1`,
        [shop.id],
      );
      const value = {
        event,
        message_template_name: 'login_code',
        message_template_language: 'en_US',
      };
      const change = { field: 'message_template_status_update', value };
      const entry = [{ id: shop.number.business_account_id, changes: [change] }];
      expect((await post(shop, JSON.stringify({ entry }))).status).toBe(200);
      const { rows } = await app.db.pool.query(
        `select status, due_at <= now() as is_due from templates join template_syncs using (tenant_id)
       where tenant_id = $1 and name = 'login_code' and language = 'en_US'`,
        [shop.id],
      );
      expect(rows).toEqual([{ status, is_due: true }]);
    },
  );

  test.each(['account_update', 'account_review_update', 'account_alerts'])(
    'with %s makes the check of the numbers of that account due',
    async (field) => {
      const shop = await app.tenant();
      const isDue = async () => {
        const { rows } = await app.db.pool.query<{ is_due: boolean }>(
          'select check_due_at <= now() as is_due from numbers where tenant_id = $1',
          [shop.id],
        );
        return rows[0]!.is_due;
      };
      const report = async (id: string) => {
        const changes = [{ field, value: { event: 'DISABLED_UPDATE' } }];
        const body = JSON.stringify({ entry: [{ id, time: 1_790_000_000, changes }] });
        expect((await post(shop, body)).status).toBe(200);
      };
      await report('20999');
      expect(await isDue()).toBe(false);
      await report(shop.number.business_account_id);
      expect(await isDue()).toBe(true);
    },
  );

  test('with 1,000 statuses, odd ones among them, applies each', async () => {
    const shop = await app.tenant();
    const ids: string[] = [];
    for (let each = 0; each < 20; each++) ids.push(await silentMessage(shop));
    const statuses: object[] = Array.from({ length: 990 }, (_, index) => ({
      id: ids[index % ids.length],
      status: ['sent', 'delivered', 'read'][index % 3],
      timestamp: at(index % 30),
    }));
    statuses.splice(
      100,
      0,
      {},
      { id: ids[0], status: 'flying', timestamp: at(1) },
      { id: 7, status: 'read' },
      { id: ids[0], status: 'read', timestamp: 'soon' },
      { id: 'wamid.a\0b', status: 'read', timestamp: at(1) },
      { id: ids[0], status: { toString: 1 }, timestamp: at(1) },
      { id: ids[0], status: 'constructor', timestamp: at(1) },
      { id: ids[0], status: 'read', timestamp: { toString: 1 } },
    );
    expect((await post(shop, statusesBody(shop.number.phone_number_id, statuses))).status).toBe(
      200,
    );
    for (const id of ids) expect((await lookUp(shop, id)).status).toBe('read');
  });

  test('of 3 MB is accepted while other announced bodies never arrive', async () => {
    const shop = await app.tenant();
    const { hostname, port } = new URL(app.url);
    const sockets = [shop.number.callback_id, 'unknown'].flatMap((id) =>
      Array.from({ length: 130 }, () => {
        const socket = connect({ port: Number(port), host: hostname, localAddress: '127.0.0.2' });
        socket.write(
          `POST /whatsapp/callbacks/${id} HTTP/1.1\r\nHost: x\r\nContent-Length: 4194304\r\n\r\n{`,
        );
        return socket;
      }),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const id = await silentMessage(shop);
    const long = statusesBody(shop.number.phone_number_id, [
      { id, status: 'delivered', timestamp: at(1), pricing: 'x'.repeat(3_000_000) },
    ]);
    expect((await post(shop, long)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  test('of 3 MB is accepted; above 4 MiB or 300,000 values, or if it is not JSON, it is 400', async () => {
    const shop = await app.tenant();
    const id = await silentMessage(shop);
    const number = shop.number.phone_number_id;
    const long = statusesBody(number, [
      { id, status: 'delivered', timestamp: at(1), pricing: 'x'.repeat(3_000_000) },
    ]);
    expect((await post(shop, long)).status).toBe(200);
    expect((await lookUp(shop, id)).status).toBe('delivered');
    expect((await post(shop, 'x'.repeat(4 * 1024 * 1024 + 1))).status).toBe(400);
    const many = JSON.stringify({ entry: Array(300_001).fill(0) });
    expect((await post(shop, many)).status).toBe(400);
    expect(await post(shop, '{"entry":')).toMatchObject({ status: 400, body: { success: false } });
    expect((await post(shop, '[]')).status).toBe(200);
  });
});

test('long posts of a tenant are read one at a time; short ones and those of others do not wait', async () => {
  const numbers = ['a', 'a', 'b'].map((tenant, index) => ({
    tenantId: tenant.charCodeAt(0),
    id: `${tenant}${index}`,
    appSecret: 'secret',
    verifyToken: 'token',
  }));
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const routes = fastify();
  callbackRoutes(routes, {
    find: async (id) => numbers.find((number) => number.id === id),
    onReport: (number) => {
      begun.push(number.id);
      return new Promise((resolve) => waiting.push(resolve));
    },
    onWrongSignature: async () => {},
    bodyBudget: createByteBudget(),
  });
  const postOf = (id: string, kilobytes: number) => {
    const body = `{}${' '.repeat(kilobytes * 1_024)}`;
    const signature = createHmac('sha256', 'secret').update(body).digest('hex');
    return routes.inject({
      method: 'POST',
      url: `/whatsapp/callbacks/${id}`,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
      payload: body,
    });
  };
  const posts = [postOf('a0', 40), postOf('a1', 40), postOf('b2', 40), postOf('a1', 1)];
  await expect.poll(() => begun.toSorted()).toEqual(['a0', 'a1', 'b2']);
  for (const end of waiting.splice(0)) end();
  await expect.poll(() => begun.length).toBe(4);
  waiting[0]!();
  expect((await Promise.all(posts)).map(({ statusCode }) => statusCode)).toEqual([
    200, 200, 200, 200,
  ]);
});
