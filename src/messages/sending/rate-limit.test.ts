import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { setCounts } from '../../../test/features/token-counts.ts';
import { call, type TestTenant, testApp } from '../../../test/program/app.ts';
import { moveToFreshMinute } from '../../../test/program/clock.ts';
import { control, misbehave } from '../../../test/servers/control.ts';
import { connectNumber } from '../../numbers/connecting/connect-number.ts';
import { createToken } from '../../tenants/tokens/create-token.ts';

// The real rate limit, with a simulated network that has its real limits too.
const app = testApp({ PARLEY_MESSAGES_PER_SECOND: '80' });

const send = (shop: TestTenant, phone: string) =>
  shop.call('POST', '/messages/send', { phone_number: phone, type: 'text', message: 'Hello' });

const phone = (index: number) => `+1415555${String(index).padStart(4, '0')}`;

async function countMessages(shop: TestTenant): Promise<Record<string, number>> {
  const { rows } = await app.db.pool.query(
    `select status in ('sent', 'delivered', 'read') as sent, count(*)::int from stored_messages
     where tenant_id = $1 group by 1`,
    [shop.id],
  );
  return Object.fromEntries(rows.map(({ sent, count }) => [sent ? 'sent' : 'other', count]));
}

/** Reports inbound messages to the tenant's number. */
async function reportInbound(shop: TestTenant, ids: string[]): Promise<void> {
  const { app_secret: secret } = await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
  });
  const messages = ids.map((id) => ({
    id: `wamid.${shop.slug}.${id}`,
    from: '14155550123',
    timestamp: '1790000000',
    type: 'text',
    text: { body: 'Hello' },
  }));
  const value = { metadata: { phone_number_id: shop.number.phone_number_id }, messages };
  const body = JSON.stringify({ entry: [{ changes: [{ field: 'messages', value }] }] });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const path = `/whatsapp/callbacks/${shop.number.callback_id}`;
  const headers = { 'x-hub-signature-256': `sha256=${signature}` };
  expect((await call(app, 'POST', path, body, headers)).status).toBe(200);
}

const idsTo = (count: number) => Array.from({ length: count }, (_, index) => String(index));

async function sendAtOnce(shop: TestTenant, count: number): Promise<number[]> {
  const sends = Array.from({ length: count }, (_, index) => send(shop, phone(index)));
  return (await Promise.all(sends)).map(({ status }) => status);
}

describe('inbound messages of a number', () => {
  test('delay its sends, but cause no refusal in a burst', async () => {
    const shop = await app.tenant();
    await reportInbound(shop, idsTo(1_000));
    expect(new Set(await sendAtOnce(shop, 70))).toEqual(new Set([200]));
  });

  test('use its rate once, however often and in however many callbacks they are reported', async () => {
    const shop = await app.tenant();
    const ids = idsTo(50);
    await Promise.all(Array.from({ length: 20 }, () => reportInbound(shop, ids)));
    await reportInbound(shop, [...ids, ...ids]);
    expect(new Set(await sendAtOnce(shop, 160))).toEqual(new Set([200]));
  });
});

describe('a burst', () => {
  test('above the rate of the number waits, and nothing is refused', async () => {
    const shop = await app.tenant();
    const sends = Array.from({ length: 160 }, (_, index) => send(shop, phone(index)));
    const responses = await Promise.all(sends);
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await countMessages(shop)).toEqual({ sent: 160 });
  });

  test('that would wait more than two seconds is 429 with Retry-After, and is not stored', async () => {
    const shop = await app.tenant();
    // On a busy machine calls arrive in bunches. Messages that the network refuses would be stored.
    await control(app, 'POST', '/simulator/numbers', {
      phone_number_id: shop.number.phone_number_id,
      limits: { messages_per_second: null },
    });
    const sends = Array.from({ length: 400 }, (_, index) => send(shop, phone(index)));
    const responses = await Promise.all(sends);
    const sent = responses.filter(({ status }) => status === 200).length;
    const refused = responses.filter(({ status }) => status !== 200);
    expect(sent).toBeGreaterThan(160);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, headers, body } of refused) {
      expect(status).toBe(429);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(headers['ratelimit-limit']).toBe('600');
      expect(body).toMatchObject({ success: false, errors: {} });
    }
    expect(await countMessages(shop)).toEqual({ sent });
  });

  test('to one phone is 429 if the network would refuse it; other phones are not affected', async () => {
    const shop = await app.tenant();
    // Concurrent, because the limit of a phone grows by one every six seconds, and a slow machine would need
    // so long for sequential sends.
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(shop, phone(1))));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(44).fill(200), ...Array(6).fill(429)]);
    const refused = responses.find(({ status }) => status === 429);
    expect(Number(refused!.headers['retry-after'])).toBeGreaterThan(2);
    expect((await send(shop, phone(2))).status).toBe(200);
    expect(await countMessages(shop)).toEqual({ sent: 45 });
  });

  test('that the network refuses because other clients use the number is retried once', async () => {
    const shop = await app.tenant();
    await control(app, 'POST', '/simulator/numbers', {
      phone_number_id: shop.number.phone_number_id,
      limits: { messages_per_second: 20 },
    });
    const sends = Array.from({ length: 35 }, (_, index) => send(shop, phone(index)));
    const responses = await Promise.all(sends);
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test('that the network refuses twice is 429 with Retry-After', async () => {
    for (const failWith of [130429, 131056]) {
      const shop = await app.tenant();
      await misbehave(app, shop, { failWith, failAs: 'answer' });
      const { status, headers } = await send(shop, phone(1));
      expect(status).toBe(429);
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(2);
      expect(await countMessages(shop)).toEqual({ other: 1 });
    }
  });
});

describe('sends over the limits of their token', () => {
  const sendWith = (shop: TestTenant, token: string, to: string) =>
    call(
      app,
      'POST',
      `/api/${shop.slug}/messages/send`,
      { phone_number: to, type: 'text', message: 'Hello' },
      { authorization: `Bearer ${token}` },
    );

  async function otherToken(shop: TestTenant): Promise<string> {
    const options = { name: 'other', abilities: ['all'], active: true };
    return (await createToken(app.db, shop.id, options)).value;
  }

  /** Creates a tenant with two tokens. The first one has used up its minute. */
  async function shopOfTwoTokens() {
    const shop = await app.tenant({ plan: 'growth' });
    const other = await otherToken(shop);
    await moveToFreshMinute(app);
    await Promise.all(Array.from({ length: 120 }, () => shop.call('GET', '/messages/none')));
    return { shop, other };
  }

  test('do not use up the rate of their number for other tokens', async () => {
    const { shop, other } = await shopOfTwoTokens();
    const over = await Promise.all(Array.from({ length: 46 }, () => send(shop, phone(1))));
    for (let sent = 0; sent < 46; sent++) over.push(await send(shop, phone(1)));
    for (const { status, headers, body } of over) {
      expect([status, body.message]).toEqual([
        429,
        expect.stringMatching(/120 requests per calendar minute/),
      ]);
      expect(headers['retry-after']).toBe(headers['ratelimit-reset']);
    }
    expect((await sendWith(shop, other, phone(1))).status).toBe(200);
    expect(await countMessages(shop)).toEqual({ sent: 1 });
  });

  test('do not delay the sends of other tokens, however many they are', async () => {
    const { shop, other } = await shopOfTwoTokens();
    expect((await send(shop, phone(1))).status).toBe(429);
    const over = Array.from({ length: 300 }, (_, index) => send(shop, phone(index)));
    const sends = Array.from({ length: 100 }, (_, index) => sendWith(shop, other, phone(index)));
    expect(new Set((await Promise.all(sends)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set((await Promise.all(over)).map(({ status }) => status))).toEqual(new Set([429]));
  });

  test('do not use up the minute for sends that wait for the rate limit', async () => {
    const shop = await app.tenant({ plan: 'growth' });
    await moveToFreshMinute(app);
    const statuses = await sendAtOnce(shop, 300);
    expect(statuses.filter((status) => status === 200)).toHaveLength(120);
    expect(await countMessages(shop)).toEqual({ sent: 120 });
  });

  test('per day get that reason, whether or not the network would accept one more', async () => {
    const shop = await app.tenant({ plan: 'starter' });
    const other = await otherToken(shop);
    await moveToFreshMinute(app);
    await setCounts(app, [shop.tokenId], { messages: 1_000 });
    const over = [];
    for (let sent = 0; sent < 46; sent++) over.push(await send(shop, phone(1)));
    for (let sent = 0; sent < 44; sent++) {
      expect((await sendWith(shop, other, phone(1))).status).toBe(200);
    }
    over.push(await send(shop, phone(1)));
    for (const { status, headers, body } of over) {
      expect([status, body.message]).toEqual([
        429,
        expect.stringMatching(/1,000 messages for today/),
      ]);
      expect(headers['retry-after']).toBe(headers['x-message-quota-reset']);
    }
  });
});

test('Retry-After of the rate limit is no shorter than that of the minute if the minute is used up', async () => {
  const shop = await app.tenant({ plan: 'starter' });
  await moveToFreshMinute(app);
  await Promise.all(Array.from({ length: 15 }, () => shop.call('GET', '/messages/none')));
  const sent = await Promise.all(Array.from({ length: 44 }, () => send(shop, phone(1))));
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
  const { status, headers, body } = await send(shop, phone(1));
  expect([status, body.message]).toEqual([
    429,
    expect.stringMatching(/reached WhatsApp's rate limit/),
  ]);
  expect(headers['ratelimit-remaining']).toBe('0');
  expect(headers['retry-after']).toBe(headers['ratelimit-reset']);
});

test('a tenant that claims the number of another one does not use up its rate', async () => {
  const shop = await app.tenant();
  const stranger = await app.tenant({ number: false });
  const { phone_number_id: phoneNumberId, business_account_id: businessAccountId } = shop.number;
  const guessed = { accessToken: 'guessed', appSecret: 'guessed' };
  await connectNumber(app.services, stranger.id, { phoneNumberId, businessAccountId, ...guessed });
  await Promise.all(Array.from({ length: 45 }, () => send(stranger, phone(1))));
  expect((await send(stranger, phone(1))).status).toBe(429);
  expect((await send(shop, phone(1))).status).toBe(200);
});
