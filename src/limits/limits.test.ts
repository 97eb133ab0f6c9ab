import sql from 'sql-template-tag';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { onEveryConnection } from '../../test/database/every-connection.ts';
import { setCounts } from '../../test/features/token-counts.ts';
import { call, type TestResponse, type TestTenant, testApp } from '../../test/program/app.ts';
import { moveToFreshMinute } from '../../test/program/clock.ts';
import { control, misbehave } from '../../test/servers/control.ts';
import { buildApp } from '../app.ts';
import { plans } from '../tenants/plans.ts';
import { updateTenant } from '../tenants/queries.ts';
import { createUsageGatherer } from './gather-usage.ts';
import { deleteOldCounts } from './queries.ts';
import { countedRequests, shareByToken } from './token-counts.ts';
import { listUsage } from './usage-queries.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
const minuteHeaders = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
const dayHeaders = ['limit', 'remaining', 'reset'].map((name) => `x-message-quota-${name}`);

const send = (shop: TestTenant, body: unknown = text) => shop.call('POST', '/messages/send', body);
const look = (shop: TestTenant) => shop.call('GET', '/messages/none');

function numbersOf({ headers }: TestResponse, names: string[]): number[] {
  return names.map((name) => Number(headers[name]));
}

describe('the limits of a plan', () => {
  test.each(['starter', 'enterprise'] as const)('%s', async (plan) => {
    const { requestsPerMinute, messagesPerDay } = plans[plan];
    const shop = await app.tenant({ plan });
    await moveToFreshMinute(app);
    const first = await send(shop);
    expect(numbersOf(first, minuteHeaders.slice(0, 2))).toEqual([
      requestsPerMinute,
      requestsPerMinute - 1,
    ]);
    expect(dayHeaders.slice(0, 2).map((name) => first.headers[name])).toEqual(
      messagesPerDay === null
        ? ['unlimited', 'unlimited']
        : [String(messagesPerDay), String(messagesPerDay - 1)],
    );
    // The others differ in their numbers only.
    if (plan !== 'starter') return;
    const rest = await Promise.all(Array.from({ length: requestsPerMinute }, () => look(shop)));
    expect(rest.filter(({ status }) => status === 404)).toHaveLength(requestsPerMinute - 1);
    expect(rest.filter(({ status }) => status === 429)).toHaveLength(1);
  });

  test('are the numbers of the specification', () => {
    expect(plans).toEqual({
      starter: { requestsPerMinute: 60, messagesPerDay: 1_000 },
      growth: { requestsPerMinute: 120, messagesPerDay: 5_000 },
      pro: { requestsPerMinute: 300, messagesPerDay: 15_000 },
      enterprise: { requestsPerMinute: 600, messagesPerDay: null },
    });
  });

  test('change within a second, both up and down', async () => {
    const shop = await app.tenant({ plan: 'starter' });
    await moveToFreshMinute(app);
    await Promise.all(Array.from({ length: 60 }, () => look(shop)));
    expect((await look(shop)).status).toBe(429);
    await updateTenant(app.db, shop.id, { plan: 'growth' });
    await app.moveClock(1_000);
    const raised = await look(shop);
    expect([raised.status, ...numbersOf(raised, minuteHeaders.slice(0, 2))]).toEqual([
      404, 120, 58,
    ]);
    await updateTenant(app.db, shop.id, { plan: 'starter' });
    await app.moveClock(1_000);
    expect((await look(shop)).status).toBe(429);
    expect((await send(shop)).status).toBe(429);
  });
});

describe('the headers', () => {
  test('are on every authenticated response, whatever its status, and count it', async () => {
    const shop = await app.tenant({ plan: 'starter', abilities: ['messages:text'] });
    await moveToFreshMinute(app);
    const responses: [number, TestResponse][] = [
      [200, await send(shop)],
      [400, await send(shop, '{')],
      [403, await shop.call('GET', '/contacts')],
      [404, await look(shop)],
      [422, await send(shop, {})],
      [403, await shop.call('POST', '/messages/media', {})],
    ];
    await control(app, 'POST', '/simulator/behaviour', {
      phone_number_id: shop.number.phone_number_id,
      status: 500,
      count: 1,
    });
    responses.push([500, await send(shop)]);
    responses.forEach(([status, response], index) => {
      expect(response.status).toBe(status);
      const [limit, remaining, reset] = numbersOf(response, minuteHeaders);
      expect([limit, remaining]).toEqual([60, 59 - index]);
      expect(reset).toBeGreaterThanOrEqual(1);
      expect(reset).toBeLessThanOrEqual(60);
    });
    const unauthorized = await call(app, 'GET', `/api/${shop.slug}/messages/none`);
    expect(unauthorized.status).toBe(401);
    expect(unauthorized.headers).not.toHaveProperty('ratelimit-limit');
  });

  test('of the day are on sends only, and do not count a message that the network refuses', async () => {
    const shop = await app.tenant({ plan: 'starter' });
    await moveToFreshMinute(app);
    expect(numbersOf(await send(shop), dayHeaders.slice(0, 2))).toEqual([1000, 999]);
    expect(numbersOf(await send(shop, {}), dayHeaders.slice(0, 2))).toEqual([1000, 999]);
    await control(app, 'POST', '/simulator/behaviour', {
      phone_number_id: shop.number.phone_number_id,
      failWith: 131030,
      count: 1,
    });
    const refused = await send(shop);
    expect([refused.status, ...numbersOf(refused, dayHeaders.slice(0, 2))]).toEqual([
      422, 1000, 999,
    ]);
    expect(numbersOf(await send(shop), dayHeaders.slice(0, 2))).toEqual([1000, 998]);
    expect((await look(shop)).headers).not.toHaveProperty('x-message-quota-limit');

    await Promise.all(Array.from({ length: 60 }, () => look(shop)));
    const over = await send(shop);
    expect([over.status, ...numbersOf(over, dayHeaders.slice(0, 2))]).toEqual([429, 1000, 998]);
  });

  test('of the day do not count a message that is refused after midnight UTC', async () => {
    const shop = await app.tenant({ plan: 'starter' });
    const now = new Date();
    const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 2);
    await app.setClock(midnight - 1_000 - now.getTime());
    onTestFinished(() => app.setClock(0));
    const setZone = async (statement: string) => {
      for (const pool of [app.db.pool, app.db.batched, app.db.fair])
        await onEveryConnection(pool, (client) => client.query(statement));
    };
    await send(shop);
    // There it is the next day already.
    await setZone(`set timezone to 'Pacific/Kiritimati'`);
    await misbehave(app, shop, { failWith: 131030, delayMs: 500, count: 1 });
    const sending = send(shop);
    await eventually(async () => {
      const sent = await app.db.query(sql`select from messages where tenant_id = ${shop.id}`);
      return sent.rows.length === 2;
    });
    await app.setClock(midnight + 60_000 - now.getTime());
    expect((await sending).status).toBe(422);
    await setZone('reset timezone');
    const { rows } = await app.db.query(sql`
      select day::text, messages from token_days where tenant_id = ${shop.id}`);
    expect(rows).toEqual([{ day: new Date(midnight - 1).toISOString().slice(0, 10), messages: 1 }]);
  });

  test('of the day have the seconds until midnight UTC', async () => {
    const shop = await app.tenant({ plan: 'starter' });
    await moveToFreshMinute(app);
    const [reset] = numbersOf(await send(shop), ['x-message-quota-reset']);
    const midnight = new Date(app.clock.now());
    midnight.setUTCHours(24, 0, 0, 0);
    const seconds = (midnight.getTime() - app.clock.now().getTime()) / 1000;
    expect(Math.abs(reset! - seconds)).toBeLessThan(30);
  });
});

describe('Retry-After', () => {
  test('is the wait after which the next request passes', async () => {
    const shop = await app.tenant({ plan: 'starter' });
    await moveToFreshMinute(app);
    await Promise.all(Array.from({ length: 60 }, () => look(shop)));
    const refused = await look(shop);
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({
      success: false,
      message: expect.stringContaining('60 requests per calendar minute'),
      errors: {},
      code: 'rate_limited',
    });
    expect(refused.headers['retry-after']).toBe(refused.headers['ratelimit-reset']);
    await app.moveClock(Number(refused.headers['retry-after']) * 1_000);
    expect((await look(shop)).status).toBe(404);
  });

  test('of the day is the time until the next day', async () => {
    const shop = await app.tenant({ plan: 'starter' });
    await moveToFreshMinute(app);
    await setCounts(app, [shop.tokenId], { messages: 998 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(shop)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const refused = await send(shop);
    expect([refused.status, refused.body.message]).toEqual([
      429,
      'This token has sent its 1,000 messages for today (UTC).',
    ]);
    expect(refused.headers['retry-after']).toBe(refused.headers['x-message-quota-reset']);
    await app.moveClock(Number(refused.headers['retry-after']) * 1_000);
    const next = await send(shop);
    expect([next.status, ...numbersOf(next, dayHeaders.slice(0, 2))]).toEqual([200, 1000, 999]);
  });
});

test('a restart keeps the day’s counts', async () => {
  const shop = await app.tenant({ plan: 'starter' });
  await moveToFreshMinute(app);
  await setCounts(app, [shop.tokenId], { messages: 998 });
  expect((await send(shop)).status).toBe(200);
  const restarted = await buildApp(app.services);
  try {
    const again = { ...app, app: restarted };
    const sendAgain = () =>
      call(again, 'POST', `/api/${shop.slug}/messages/send`, text, {
        authorization: `Bearer ${shop.token}`,
      });
    expect((await sendAgain()).headers['x-message-quota-remaining']).toBe('0');
    expect((await sendAgain()).status).toBe(429);
  } finally {
    await restarted.close();
  }
});

test('a plan with fewer messages applies to the current day', async () => {
  const shop = await app.tenant({ plan: 'growth' });
  await moveToFreshMinute(app);
  await setCounts(app, [shop.tokenId], { messages: 2_000 });
  expect((await send(shop)).status).toBe(200);
  await updateTenant(app.db, shop.id, { plan: 'starter' });
  await app.moveClock(1_000);
  const refused = await send(shop);
  expect([refused.status, refused.headers['x-message-quota-remaining']]).toEqual([429, '0']);
});

test('usage is stored by token and day: requests, refusals, failures, messages by kind', async () => {
  const shop = await app.tenant();
  await moveToFreshMinute(app);
  const day = app.clock.now().toISOString().slice(0, 10);
  await send(shop);
  const withKey = { 'idempotency-key': 'once' };
  await shop.call('POST', '/messages/send', text, withKey);
  await shop.call('POST', '/messages/send', text, withKey);
  await send(shop, {});
  await look(shop);
  await control(app, 'POST', '/simulator/behaviour', {
    phone_number_id: shop.number.phone_number_id,
    status: 500,
    count: 1,
  });
  await send(shop);
  const usage = await eventually(async () => {
    const rows = await listUsage(app.db, shop.id, { from: day, to: day });
    // The usage may be added in two parts.
    return rows[0]?.requests === 6 && rows;
  });
  expect(usage).toEqual([
    {
      token_id: shop.tokenId,
      token_name: 'test',
      day,
      requests: 6,
      refusals: 2,
      failures: 1,
      texts: 2,
      media: 0,
      templates: 0,
      messages: 2,
    },
  ]);
  const { rows } = await app.db.pool.query('select last_used_at from tokens where tenant_id = $1', [
    shop.id,
  ]);
  expect(rows[0].last_used_at.toISOString().slice(0, 10)).toBe(day);

  await app.moveClock(86_400_000);
  await look(shop);
  const both = await eventually(async () => {
    const rows = await listUsage(app.db, shop.id, { from: day, to: '9999-12-31' });
    return rows.length === 2 && rows;
  });
  expect(both.map((row) => row.requests)).toEqual([1, 6]);
  const neighbour = await app.tenant();
  expect(await listUsage(app.db, neighbour.id, { from: day, to: '9999-12-31' })).toEqual([]);
});

test('usage that is not stored yet is stored when the service shuts down', async () => {
  const shop = await app.tenant();
  const ending = await buildApp(app.services);
  await call({ ...app, app: ending }, 'GET', `/api/${shop.slug}/messages/none`, undefined, {
    authorization: `Bearer ${shop.token}`,
  });
  await ending.close();
  const rows = await listUsage(app.db, shop.id, { from: '2000-01-01', to: '9999-12-31' });
  expect(rows).toMatchObject([{ requests: 1, refusals: 1 }]);
});

test('usage of two tenants whose tokens have the same id, as after a move, is not added together', async () => {
  const [shop, moved] = [await app.tenant(), await app.tenant()];
  await app.db.query(sql`
    insert into tokens overriding system value
    select (jsonb_populate_record(tokens, jsonb_build_object('id', ${shop.tokenId}::bigint, 'hash', '\\x00'))).*
    from tokens where tenant_id = ${moved.id} and id = ${moved.tokenId}`);
  const usage = createUsageGatherer(app.services);
  usage.note(shop.id, shop.tokenId, 200, 'text');
  usage.note(moved.id, shop.tokenId, 200, 'media');
  await usage.flush();
  const ever = { from: '2000-01-01', to: '9999-12-31' };
  expect(await listUsage(app.db, shop.id, ever)).toMatchObject([
    { requests: 1, texts: 1, media: 0 },
  ]);
  expect(await listUsage(app.db, moved.id, ever)).toMatchObject([
    { requests: 1, texts: 0, media: 1 },
  ]);
});

test('usage that cannot be added is retried, with its day, and that of a deleted tenant does not block it', async () => {
  const shop = await app.tenant();
  const usage = createUsageGatherer(app.services);
  const day = app.clock.now();
  usage.note(shop.id, shop.tokenId, 200, 'text');
  await app.moveClock(86_400_000);
  usage.note(shop.id, shop.tokenId, 200, 'media');
  await app.db.pool.query('alter table token_usage rename to away');
  await usage.flush();
  await app.db.pool.query('alter table away rename to token_usage');
  usage.note(shop.id, shop.tokenId, 200, 'media');
  usage.note(shop.id + 1_000_000, 1, 200, 'text');
  await usage.flush();
  usage.note(shop.id, shop.tokenId, 200, 'media');
  await usage.flush();
  const from = day.toISOString().slice(0, 10);
  expect(await listUsage(app.db, shop.id, { from, to: '9999-12-31' })).toMatchObject([
    { requests: 3, texts: 0, media: 3 },
    { day: from, requests: 1, texts: 1, media: 0 },
  ]);
});

test.each([1, 2])(
  'a request belongs to the newest minute of its day, or to the one before, with %i tokens at once',
  async (tokens) => {
    const shops = await Promise.all(Array.from({ length: tokens }, () => app.tenant()));
    const shares = shareByToken(shops.map(({ id, tokenId }) => ({ tenantId: id, tokenId })));
    onTestFinished(() => app.setClock(0));
    const used = async (at: string) => {
      await app.setClock(Date.parse(at) - Date.now());
      const { rows } = await app.db.query<{ minute_requests: number; minute_start: Date }>(sql`
        with ${countedRequests(shares)} select minute_requests, minute_start from counted`);
      expect(rows).toHaveLength(tokens);
      for (const row of rows) expect(row).toEqual(rows[0]);
      return [rows[0]!.minute_requests, rows[0]!.minute_start.toISOString().slice(11, 16)];
    };
    expect(await used('2026-11-02T12:00:58Z')).toEqual([1, '12:00']);
    expect(await used('2026-11-02T12:01:01Z')).toEqual([1, '12:01']);
    // Began before the end of the minute, but is counted after a request of the next one.
    expect(await used('2026-11-02T12:00:58Z')).toEqual([2, '12:01']);
    expect(await used('2026-11-02T12:01:02Z')).toEqual([3, '12:01']);
    expect(await used('2026-11-02T11:59:58Z')).toEqual([1, '11:59']);
    // The counts of the two days around midnight are separate.
    expect(await used('2026-11-02T23:59:58Z')).toEqual([1, '23:59']);
    expect(await used('2026-11-03T00:00:01Z')).toEqual([1, '00:00']);
    expect(await used('2026-11-02T23:59:58Z')).toEqual([2, '23:59']);
    expect(await used('2026-11-03T00:00:02Z')).toEqual([2, '00:00']);
  },
);

test('the counts of old days are deleted, by the day in UTC in every time zone of the database', async () => {
  const shop = await app.tenant();
  const today = `(now() at time zone 'utc')::date`;
  for (const age of [90, 91]) {
    const values = [shop.id, shop.tokenId, age];
    await app.db.pool.query(
      `insert into token_days (tenant_id, token_id, day, messages, granted) values ($1, $2, ${today} - $3::int, 0, 0)`,
      values,
    );
    await app.db.pool.query(
      `insert into token_usage values ($1, $2, ${today} - $3::int, 0, 0, 0, 0, 0, 0)`,
      values,
    );
  }
  // In one of them it is another day than in UTC, at any time.
  for (const zone of ['Etc/GMT+12', 'Pacific/Kiritimati']) {
    await app.db.transaction(async (tx) => {
      await tx.query(sql`select set_config('timezone', ${zone}, true)`);
      await deleteOldCounts(tx, 90);
    });
    for (const table of ['token_usage', 'token_days']) {
      const { rows } = await app.db.pool.query(
        `select ${today} - day as age from ${table} where tenant_id = $1`,
        [shop.id],
      );
      expect(rows, `${table} in ${zone}`).toEqual([{ age: 90 }]);
    }
  }
});
