import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { signIn } from '../../../test/features/sign-in.ts';
import { call, testApp } from '../../../test/program/app.ts';
import { createLog } from '../log.ts';

const lines = new PassThrough();
const app = testApp({ PARLEY_TRUSTED_PROXIES: '127.0.0.1/32' }, createLog('info', lines));
const open = testApp();

const ownId = /^[0-9a-f-]{36}$/;

describe('X-Request-Id', () => {
  test.each([
    [200, 'GET', '/api/SHOP/groups'],
    [404, 'GET', '/api/SHOP/nothing'],
    [404, 'PATCH', '/api/SHOP/groups'],
    [404, 'GET', '/%ff'],
    [401, 'POST', '/api/webhooks/unknown'],
    [404, 'POST', '/whatsapp/callbacks/unknown'],
    [200, 'GET', '/auth/session'],
    [200, 'GET', '/openapi.json'],
    [200, 'GET', '/docs'],
  ])('is on a %i of %s %s', async (status, method, path) => {
    const shop = await open.tenant({ number: false });
    const headers = { authorization: `Bearer ${shop.token}` };
    const body = method === 'POST' ? '{}' : undefined;
    const request = () => call(open, method, path.replace('SHOP', shop.slug), body, headers);
    const [first, second] = [await request(), await request()];
    expect(first.status).toBe(status);
    expect(first.headers['x-request-id']).toMatch(ownId);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  test('comes from a trusted proxy, if it is well-formed', async () => {
    const ask = async (asked: typeof app, id: string) => {
      const response = await call(asked, 'GET', '/nowhere', undefined, { 'x-request-id': id });
      return response.headers['x-request-id'];
    };
    for (const id of ['a', 'Root=1-67891233:abc/+@.', 'x'.repeat(128)]) {
      expect(await ask(app, id)).toBe(id);
      expect(await ask(open, id)).toMatch(ownId);
    }
    for (const id of ['', ' ', 'two words', 'x'.repeat(129), '{"a":1}', 'é', '\u001b[31m']) {
      expect(await ask(app, id)).toMatch(ownId);
    }
  });

  test('leads to the log line of a failure, for clients and in the dashboard', async () => {
    const shop = await app.tenant({ number: false });
    const member = await signIn(app, shop);
    await app.db.pool.query('alter table groups rename to mislaid');
    try {
      lines.read();
      const headers = { 'x-request-id': 'proxy-77' };
      const response = await shop.call('GET', '/groups', undefined, headers);
      expect(response.body.message).toMatch(/Request proxy-77\.$/);
      const page = await call(app, 'GET', `/dashboard-api/${shop.slug}/groups`, undefined, {
        cookie: member.cookie,
        ...headers,
      });
      expect(page.body.says.values).toEqual({ request: 'proxy-77' });
      const logged = String(lines.read()).trim().split('\n');
      expect(logged.map((line) => JSON.parse(line).reqId)).toEqual(['proxy-77', 'proxy-77']);
    } finally {
      await app.db.pool.query('alter table mislaid rename to groups');
    }
  });
});
