import { describe, expect, test } from 'vitest';
import { call, eventually, misbehave, testApp } from '../../test/app.ts';
import { onThePhone } from '../../test/phone.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };

describe('a text message', () => {
  test('is accepted by the network, reported delivered, and can be looked up', async () => {
    const shop = await app.tenant();
    const sent = await shop.call('POST', '/messages/send', text);
    expect(sent.body).toEqual({
      success: true,
      message: 'The network accepted the message.',
      data: {
        message_id: expect.stringMatching(/^wamid\./),
        phone_number: text.phone_number,
        status: 'sent',
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
      },
    });
    const messages = await onThePhone(app, shop);
    expect(messages).toHaveLength(1);
  });
});

describe('a message id in a path', () => {
  test.each(['wamid.HBgLM+TQx//NTU1/read==', 'wamid.HBgLMTQx/', 'wamid.%2F'])(
    '"%s" is found as it came, and URL-encoded',
    async (id) => {
      const shop = await app.tenant();
      await misbehave(app, shop, { callbacks: false });
      await shop.call('POST', '/messages/send', text);
      await app.db.pool.query('update messages set network_id = $2 where tenant_id = $1', [
        shop.id,
        id,
      ]);
      const asItCame = id.replaceAll('%', '%25');
      for (const path of [asItCame, encodeURIComponent(id)]) {
        const found = await shop.call('GET', `/messages/${path}`);
        expect(found.body.data, path).toMatchObject({ message_id: id, status: 'sent' });
      }
      const stranger = await app.tenant();
      expect((await stranger.call('GET', `/messages/${asItCame}`)).status).toBe(404);
    },
  );

  test('that nobody has is 404, however deep its path is', async () => {
    const shop = await app.tenant();
    const notFound = { success: false, message: 'Not found.', errors: {} };
    for (const path of ['a', 'a/b/c', 'a/read', 'x'.repeat(2_000), `${'x/'.repeat(500)}x`]) {
      const { status, body, headers } = await shop.call('GET', `/messages/${path}`);
      expect({ status, body }, path).toEqual({ status: 404, body: notFound });
      expect(headers['ratelimit-limit']).toBe('600');
    }
    expect((await shop.call('POST', '/messages/a/b')).status).toBe(404);
    for (const path of ['', 'a/', 'a//b']) {
      const { status, body } = await shop.call('GET', `/messages/${path}`);
      expect(status).toBe(404);
      expect(body.message).toMatch(/no slash at its end/);
    }
  });

  test('needs a token, and one of the abilities to send', async () => {
    const shop = await app.tenant({ abilities: ['contacts:read'] });
    expect((await shop.call('GET', '/messages/a/b')).status).toBe(403);
    const bare = await call(app, 'GET', `/api/${shop.slug}/messages/a/b`);
    expect(bare.status).toBe(401);
  });
});
