import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { holdLocks } from '../../test/database/locks.ts';
import { call, testApp } from '../../test/program/app.ts';
import { createClock } from '../platform/clock.ts';
import { createToken } from '../tenants/tokens/create-token.ts';
import { revokeToken } from '../tenants/tokens/revoke-token.ts';
import { makeToken } from '../tenants/tokens/token-format.ts';
import { createFailureLimit } from './failure-limit.ts';

const app = testApp({ PARLEY_TRUSTED_PROXIES: '127.0.0.1' });
// The clock is stopped, so that the duration of the failures does not matter.
beforeAll(() => {
  app.clock.elapsedMs = () => app.clock.offsetMs;
});

/** Makes a request as a proxy forwards it. */
function from(address: string, slug: string, token: string) {
  return call(app, 'GET', `/api/${slug}/messages/none`, undefined, {
    authorization: `Bearer ${token}`,
    'x-forwarded-for': address,
    'x-forwarded-proto': 'https',
  });
}

async function failUntilRefused(address: string, slug: string) {
  for (let count = 0; ; count++) {
    const response = await from(address, slug, count % 2 ? makeToken() : 'garbage');
    if (response.status !== 401) return { count, response };
  }
}

test('an address without a valid token is refused after 300 failures, and then may fail once per second', async () => {
  const shop = await app.tenant();
  const { count, response } = await failUntilRefused('198.51.100.1', shop.slug);
  expect(count).toBe(300);
  expect(response.status).toBe(429);
  expect(response.body).toEqual({
    success: false,
    message: expect.stringContaining('without a valid token'),
    errors: {},
    code: 'rate_limited',
  });

  await app.moveClock(Number(response.headers['retry-after']) * 1_000);
  expect((await from('198.51.100.1', shop.slug, makeToken())).status).toBe(401);
  await app.moveClock(300_000);
  expect((await failUntilRefused('198.51.100.1', shop.slug)).count).toBe(300);
});

test('an address that guesses tenant names is refused too, without a database lookup', async () => {
  for (let count = 0; count <= 300; count++) {
    const { status } = await from('198.51.100.2', `nobody-${count}`, 'garbage');
    expect(status).toBe(count < 300 ? 404 : 429);
  }

  const shop = await app.tenant();
  await holdLocks(app, 'lock table tenants, tokens in access exclusive mode');
  expect((await from('198.51.100.2', shop.slug, makeToken())).status).toBe(429);
});

test('an address is not refused for longer because the clock is set back', async () => {
  const shop = await app.tenant();
  expect((await from('198.51.100.9', shop.slug, makeToken())).status).toBe(401);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  expect((await from('198.51.100.9', shop.slug, makeToken())).status).toBe(401);
});

test('a token that was valid before is accepted from an address where others have failed', async () => {
  const shop = await app.tenant();
  expect((await from('198.51.100.3', shop.slug, shop.token)).status).toBe(404);
  // Now the cached caller has expired, so the token is looked up again.
  await app.moveClock(5_000);
  await failUntilRefused('198.51.100.3', shop.slug);
  expect((await from('198.51.100.3', shop.slug, shop.token)).status).toBe(404);

  const { value } = await createToken(app.db, shop.id, {
    name: 'new',
    abilities: ['all'],
    active: true,
  });
  await failUntilRefused('198.51.100.3', shop.slug);
  expect((await from('198.51.100.3', shop.slug, value)).status).toBe(429);
  expect((await from('198.51.100.4', shop.slug, value)).status).toBe(404);

  // A revoked token is treated like an invalid one.
  await revokeToken(app.db, shop.id, shop.tokenId);
  await app.moveClock(1_000);
  expect((await from('198.51.100.4', shop.slug, shop.token)).status).toBe(401);
  await failUntilRefused('198.51.100.3', shop.slug);
  expect((await from('198.51.100.3', shop.slug, shop.token)).status).toBe(429);
});

test('IPv6 clients are counted by /64', async () => {
  const shop = await app.tenant();
  for (let count = 0; count < 300; count++) {
    await from(`2001:db8:1:2::${count.toString(16)}`, shop.slug, 'garbage');
  }
  expect((await from('2001:db8:1:2:ffff::1', shop.slug, 'garbage')).status).toBe(429);
  expect((await from('2001:db8:1:3::1', shop.slug, 'garbage')).status).toBe(401);
  expect((await from('::ffff:198.51.100.7', shop.slug, 'garbage')).status).toBe(401);
});

test('a flood of addresses does not fill the memory, and does not evict an address that keeps failing', () => {
  const limit = createFailureLimit(createClock());
  for (let count = 0; count < 40_000; count++) {
    limit.failed(`10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`);
    if (count % 20 === 0) limit.failed('198.51.100.9');
  }
  expect(limit.size).toBe(10_000);
  // Its wait is limited to a quarter of an hour.
  expect(() => limit.refuse('198.51.100.9')).toThrow(/Try again in [89]\d\d s/);
});
