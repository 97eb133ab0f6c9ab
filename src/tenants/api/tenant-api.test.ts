import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { signIn } from '../../../test/features/sign-in.ts';
import { call, testApp } from '../../../test/program/app.ts';
import { moveToFreshMinute } from '../../../test/program/clock.ts';
import { createStore } from '../../stores/setup/create-store.ts';
import { createTenant } from '../create-tenant.ts';
import { deleteTenant } from '../delete-tenant.ts';
import { updateTenant } from '../queries.ts';
import { createToken } from '../tokens/create-token.ts';
import { revokeToken } from '../tokens/revoke-token.ts';
import { makeToken } from '../tokens/token-format.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const unauthorized = {
  success: false,
  message: 'The API token is missing or not valid.',
  errors: {},
  code: 'unauthorized',
};
const notFound = { success: false, message: 'Not found.', errors: {}, code: 'not_found' };

describe('a token', () => {
  test('is refused if it is missing, malformed, made up, or another tenant’s', async () => {
    const shop = await app.tenant();
    const neighbour = await app.tenant();
    const path = `/api/${shop.slug}/messages/send`;
    const refused = [
      {},
      { authorization: '' },
      { authorization: shop.token },
      { authorization: `Basic ${shop.token}` },
      bearer('garbage'),
      bearer(makeToken()),
      bearer(`${shop.token.slice(0, -1)}${shop.token.endsWith('0') ? '1' : '0'}`),
      bearer(neighbour.token),
    ];
    for (const headers of refused) {
      const response = await call(app, 'POST', path, text, headers as Record<string, string>);
      expect({ status: response.status, body: response.body }).toEqual({
        status: 401,
        body: unauthorized,
      });
    }
  });

  test('is refused while pending, once revoked or expired, and with API access off', async () => {
    const shop = await app.tenant();
    const path = `/api/${shop.slug}/messages/unknown`;
    const make = (options: { active?: boolean; expiresAt?: Date }) =>
      createToken(app.db, shop.id, { name: 'other', abilities: ['all'], active: true, ...options });
    const status = async (token: string) =>
      (await call(app, 'GET', path, undefined, bearer(token))).status;

    const pending = await make({ active: false });
    const early = await call(app, 'GET', path, undefined, bearer(pending.value));
    expect([early.status, early.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(early.body.message).toMatch('not active yet. Save the API settings');
    const elsewhere = `/api/${(await app.tenant()).slug}/messages/unknown`;
    const foreign = await call(app, 'GET', elsewhere, undefined, bearer(pending.value));
    expect([foreign.status, foreign.body]).toEqual([401, unauthorized]);
    await revokeToken(app.db, shop.id, pending.token.id);
    const revokedEarly = await call(app, 'GET', path, undefined, bearer(pending.value));
    expect([revokedEarly.status, revokedEarly.body]).toEqual([401, unauthorized]);

    const revoked = await make({});
    expect(await status(revoked.value)).toBe(404);
    await revokeToken(app.db, shop.id, revoked.token.id);
    await app.moveClock(1_000);
    expect(await status(revoked.value)).toBe(401);

    const expiring = await make({ expiresAt: new Date(Date.now() + 60_000) });
    expect(await status(expiring.value)).toBe(404);
    await app.moveClock(61_000);
    expect(await status(expiring.value)).toBe(401);

    await updateTenant(app.db, shop.id, { api_access: false });
    expect(await status(shop.token)).toBe(401);
  });

  test('is refused within a second of its revocation even if the clock was set back in the meantime', async () => {
    const shop = await app.tenant();
    expect((await shop.call('GET', '/messages/unknown')).status).toBe(404);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    await revokeToken(app.db, shop.id, shop.tokenId);
    await app.moveClock(1_000);
    expect((await shop.call('GET', '/messages/unknown')).status).toBe(401);
  });

  test('without the ability gets a 403 that names the ability', async () => {
    const shop = await app.tenant({ abilities: ['contacts:read', 'messages:media'] });
    const response = await shop.call('POST', '/messages/send', text);
    expect(response.status).toBe(403);
    expect(response.body).toEqual({
      success: false,
      message: 'This token lacks the ability messages:text.',
      errors: {},
      code: 'forbidden',
    });
    // The lookup needs any one of the three message abilities.
    expect((await shop.call('GET', '/messages/unknown')).status).toBe(404);
  });

  test('is stored only as a hash', async () => {
    const shop = await app.tenant();
    const { rows } = await app.db.pool.query('select * from tokens where tenant_id = $1', [
      shop.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(shop.token.slice(7, 39));
  });
});

describe('a path', () => {
  test('that is unknown, or has an unknown tenant or record, gets the same 404', async () => {
    const shop = await app.tenant();
    const asked = [
      ['GET', '/api/nobody/messages/x'],
      ['POST', '/api/nobody/messages/send'],
      ['GET', `/api/${shop.slug}/nothing`],
      ['GET', `/api/${shop.slug}`],
      ['GET', '/api'],
      ['GET', '/nothing'],
      ['GET', `/api/${shop.slug}/messages/wamid.unknown`],
      ['GET', `/api/${shop.slug}/messages/a%00b`],
      ['GET', '/api/a%00b/messages/x'],
      ['GET', '/whatsapp/callbacks/a%00b'],
      ['GET', `/api/${shop.slug}/contacts/%zz`],
      ['GET', '/%ff'],
      ['GET', `/api/${shop.slug}/messages/${'x'.repeat(600)}`],
    ] as const;
    for (const [method, path] of asked) {
      const response = await call(app, method, path, undefined, bearer(shop.token));
      expect({ path, status: response.status, body: response.body }).toEqual({
        path,
        status: 404,
        body: notFound,
      });
    }
  });

  test('that is unknown gets a 404 before the body is read', async () => {
    const shop = await app.tenant();
    const bodies = ['{', Buffer.from([0xff]), ' '.repeat(2 * 1024 * 1024)];
    for (const path of ['/api/nobody/contacts', `/api/${shop.slug}/nothing`, '/nothing']) {
      for (const body of bodies) {
        const response = await call(app, 'POST', path, body, bearer(shop.token));
        expect({ path, status: response.status, body: response.body }).toEqual({
          path,
          status: 404,
          body: notFound,
        });
      }
    }
  });

  test('of version 1 gets a message that it is no longer supported', async () => {
    const { token } = await app.tenant();
    for (const [method, path] of [
      ['GET', '/api/v1'],
      ['GET', '/api/v1?page=2'],
      ['GET', '/api/v1/contacts'],
      ['POST', '/api/v1/messages/send'],
      ['GET', '/api/v1/messages'],
      ['GET', '/api/v1/contacts/%zz'],
    ] as const) {
      const body = method === 'POST' ? {} : undefined;
      const response = await call(app, method, path, body, { authorization: `Bearer ${token}` });
      expect(response.status, path).toBe(404);
      expect(response.body.message, path).toMatch(/version 1.*no longer supported/i);
    }
    for (const path of ['/api/shop/contacts/', '/api/shop/contacts/?page=2', '/api/shop//groups']) {
      expect((await call(app, 'GET', path)).body.message, path).toContain(
        'Remove the slash at the end',
      );
    }
    for (const path of ['/api/v2/contacts', '/api/v10/contacts']) {
      expect((await call(app, 'GET', path)).body.message, path).toBe('Not found.');
    }
  });

  test('with an empty segment, such as after a slash at the end, gets a message about it', async () => {
    const shop = await app.tenant({ number: false });
    for (const path of ['/contacts/', '/statuses/', '/groups/?page=1', '/messages/']) {
      const response = await shop.call('GET', path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(response.body.message, path).toContain('Remove the slash at the end');
    }
  });

  test('of another tenant’s message gets the 404 of a missing one', async () => {
    const [shop, neighbour] = [await app.tenant(), await app.tenant()];
    const sent = await shop.call('POST', '/messages/send', text);
    const path = `/messages/${encodeURIComponent(sent.body.data.message_id)}`;
    expect((await shop.call('GET', path)).status).toBe(200);
    const foreign = await neighbour.call('GET', path);
    expect({ status: foreign.status, body: foreign.body }).toEqual({ status: 404, body: notFound });
  });
});

test.each([
  ['/messages/send', text],
  ['/messages/send', { ...text, message: '' }],
  ['/contacts', { firstname: 'Ada', phone: '+14155550123' }],
  ['/groups', { name: 'Regulars' }],
])(
  'a request to %s of a tenant that was just deleted gets the 404 of an unknown one',
  async (path, body) => {
    for (const headers of [undefined, { 'idempotency-key': 'order-1' }]) {
      const shop = await app.tenant();
      expect((await shop.call('POST', '/messages/send', text)).status).toBe(200);
      await deleteTenant(app.db, shop.id);
      const response = await shop.call('POST', path, body, headers);
      expect({ status: response.status, body: response.body }).toEqual({
        status: 404,
        body: notFound,
      });
    }
  },
);

describe('the order of checks', () => {
  test('is tenant, token, minute, ability, body, fields', async () => {
    const shop = await app.tenant({ plan: 'starter', abilities: ['messages:text'] });
    await moveToFreshMinute(app);
    const sendTo = (tenant: string, token: string, path: string, body: unknown) =>
      call(app, 'POST', `/api/${tenant}${path}`, body, bearer(token)).then(
        (response) => response.status,
      );

    expect(await sendTo('nobody', 'garbage', '/messages/send', '{')).toBe(404);
    expect(await sendTo(shop.slug, 'garbage', '/messages/send', '{')).toBe(401);
    expect(await sendTo(shop.slug, shop.token, '/messages/send', '{')).toBe(400);
    expect(await sendTo(shop.slug, shop.token, '/messages/send', {})).toBe(422);
    // Two of 60 are used: every authenticated request counts, whatever its response.
    for (let each = 3; each <= 60; each++) {
      expect(await sendTo(shop.slug, shop.token, '/messages/send', {})).toBe(422);
    }
    const over = await shop.call('POST', '/messages/send', '{');
    expect(over.status).toBe(429);
    expect(over.headers['ratelimit-remaining']).toBe('0');
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
  });
});

test.each(['two\nlines', 'a\u2028b', 'a\u0000b', ' ', '\u200b\u3164\u2800'])(
  'the name %j is not valid for a token, a tenant or a store',
  async (name) => {
    const shop = await app.tenant();
    const member = await signIn(app, shop);
    const { status, body } = await member.call('POST', '/tokens', {
      name,
      abilities: ['all'],
    });
    expect({ status, errors: Object.keys(body.errors) }).toEqual({ status: 422, errors: ['name'] });
    await expect(createTenant(app.db, { slug: 'odd-name', name })).rejects.toThrow(/name must/);
    const store = { platform: 'custom', name };
    await expect(createStore(app.services, shop.id, store)).rejects.toThrow(/name must/);
  },
);
