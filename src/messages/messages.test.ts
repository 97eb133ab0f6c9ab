import { describe, expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { call, type TestTenant, testApp } from '../../test/program/app.ts';
import { control, misbehave } from '../../test/servers/control.ts';
import { onThePhone, readOnThePhone } from '../../test/servers/phone.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };

describe('a text message', () => {
  test('is accepted by the network, reported delivered, and can be looked up', async () => {
    const shop = await app.tenant({ delivers: true });
    const sent = await shop.call('POST', '/messages/send', text);
    expect(sent.body).toEqual({
      success: true,
      message: 'The network accepted the message.',
      data: {
        message_id: expect.stringMatching(/^wamid\./),
        phone_number: text.phone_number,
        status: 'sent',
        id: expect.any(Number),
      },
    });
    expect(sent.status).toBe(200);

    const { message_id: id } = sent.body.data;
    const delivered = await eventually(async () => {
      const { body } = await shop.call('GET', `/messages/${encodeURIComponent(id)}`);
      return body.data.status === 'delivered' && body;
    });
    expect(delivered).toEqual({
      success: true,
      data: {
        message_id: id,
        status: 'delivered',
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        id: sent.body.data.id,
        reference: null,
        timeline: [
          { status: 'sent', at: expect.stringMatching(/Z$/) },
          { status: 'delivered', at: delivered.data.timestamp },
        ],
      },
    });
    expect((await shop.call('GET', `/messages/id:${sent.body.data.id}`)).body).toEqual(delivered);
    const messages = await onThePhone(app, shop);
    expect(messages).toHaveLength(1);
  });
});

describe('a message id in a path', () => {
  test.each(['wamid.HBgLM+TQx//NTU1/read==', 'wamid.HBgLMTQx/', 'wamid.%2F'])(
    '"%s" is found as received and URL-encoded',
    async (id) => {
      const shop = await app.tenant();
      await misbehave(app, shop, { callbacks: false });
      await shop.call('POST', '/messages/send', text);
      await app.db.pool.query('update stored_messages set network_id = $2 where tenant_id = $1', [
        shop.id,
        id,
      ]);
      const unencoded = id.replaceAll('%', '%25');
      for (const path of [unencoded, encodeURIComponent(id)]) {
        const found = await shop.call('GET', `/messages/${path}`);
        expect(found.body.data, path).toMatchObject({ message_id: id, status: 'sent' });
      }
      const stranger = await app.tenant();
      expect((await stranger.call('GET', `/messages/${unencoded}`)).status).toBe(404);
    },
  );

  test('that does not exist is 404, however deep its path is', async () => {
    const shop = await app.tenant();
    const notFound = { success: false, message: 'Not found.', errors: {}, code: 'not_found' };
    for (const path of ['a', 'a/b/c', 'a/read', 'x'.repeat(2_000), `${'x/'.repeat(500)}x`]) {
      const { status, body, headers } = await shop.call('GET', `/messages/${path}`);
      expect({ status, body }, path).toEqual({ status: 404, body: notFound });
      expect(headers['ratelimit-limit']).toBe('600');
    }
    expect((await shop.call('POST', '/messages/a/b')).status).toBe(404);
    const slashes = [
      ['GET', ''],
      ['GET', 'a/'],
      ['GET', 'a//b'],
      ['POST', 'template/'],
    ] as const;
    for (const [method, path] of slashes) {
      const { status, body } = await shop.call(method, `/messages/${path}`);
      expect(status).toBe(404);
      expect(body.message).toMatch(/Remove the slash at the end/);
    }
  });

  test('needs a token, and one of the abilities to send', async () => {
    const shop = await app.tenant({ abilities: ['contacts:read'] });
    expect((await shop.call('GET', '/messages/a/b')).status).toBe(403);
    const bare = await call(app, 'GET', `/api/${shop.slug}/messages/a/b`);
    expect(bare.status).toBe(401);
  });
});

describe('a lookup by our id', () => {
  async function idsOf(shop: TestTenant): Promise<number[]> {
    const { rows } = await app.db.pool.query<{ id: number }>(
      'select id from stored_messages where tenant_id = $1 order by id',
      [shop.id],
    );
    return rows.map(({ id }) => id);
  }

  test('says unknown until a callback settles the message', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, {
      answer: 'drop-after-accept',
      callbacks: false,
      stepMs: 1,
      count: 1,
    });
    await shop.call('POST', '/messages/send', text);
    const [id] = await idsOf(shop);
    const lookUp = async () => (await shop.call('GET', `/messages/id:${id}`)).body.data;
    const begun = {
      id,
      message_id: null,
      status: 'unknown',
      timestamp: expect.any(String),
      reference: null,
      timeline: [],
    };
    expect(await lookUp()).toEqual(begun);
    // While it is being sent, the outcome is unknown too.
    await app.db.pool.query(
      `update stored_messages set status = 'accepting' where tenant_id = $1`,
      [shop.id],
    );
    expect(await lookUp()).toEqual(begun);

    await readOnThePhone(app, shop, text.phone_number);
    const read = await eventually(async () => {
      const data = await lookUp();
      return data.status === 'read' && data;
    });
    const [{ wamid }] = await onThePhone(app, shop);
    // The network reported nothing before.
    const timeline = [{ status: 'read', at: read.timestamp }];
    expect(read).toEqual({ ...begun, message_id: wamid, status: 'read', timeline });
    expect((await shop.call('GET', `/messages/${wamid}`)).body.data).toEqual(read);
    const encoded = await shop.call('GET', `/messages/${encodeURIComponent(`id:${id}`)}`);
    expect(encoded.body.data).toEqual(read);
  });

  test('says why the network refused the message', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { failWith: 131030 });
    await shop.call('POST', '/messages/send', text);
    const [id] = await idsOf(shop);
    expect((await shop.call('GET', `/messages/id:${id}`)).body.data).toMatchObject({
      id,
      message_id: null,
      status: 'failed',
      error: { code: 131030 },
    });
  });

  test('is the same 404 for a foreign, received, deleted or missing message', async () => {
    const [shop, stranger] = [await app.tenant(), await app.tenant()];
    const { body } = await shop.call('POST', '/messages/send', text);
    await control(app, 'POST', '/simulator/inbound', {
      phone_number_id: shop.number.phone_number_id,
      from: '+14155550124',
      text: 'Hello',
    });
    const received = await eventually(async () => (await idsOf(shop))[1]);
    const { id } = body.data;
    const contact = { firstname: 'Ada', phone: text.phone_number };
    const made = await shop.call('POST', '/contacts', contact);
    expect((await shop.call('GET', `/messages/id:${id}`)).status).toBe(200);
    expect((await shop.call('DELETE', `/contacts/${made.body.data.id}`)).status).toBe(200);
    const wrong = ['id:', 'id:0', 'id:01', 'id:1.5', `id:${10 ** 15}`, 'id:x', `id:${id}/a`];
    const responses = [
      await stranger.call('GET', `/messages/id:${id}`),
      await shop.call('GET', `/messages/id:${id}`),
      await shop.call('GET', `/messages/id:${received}`),
      ...(await Promise.all(wrong.map((name) => shop.call('GET', `/messages/${name}`)))),
    ];
    for (const { status, body } of responses) {
      expect({ status, body }).toEqual({
        status: 404,
        body: { success: false, message: 'Not found.', errors: {}, code: 'not_found' },
      });
    }
  });
});
