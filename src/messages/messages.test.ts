import { describe, expect, test } from 'vitest';
import { eventually, testApp } from '../../test/app.ts';
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
