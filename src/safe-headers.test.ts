import { describe, expect, test } from 'vitest';
import { signIn } from '../test/features/sign-in.ts';
import { call, type TestApp, testApp } from '../test/program/app.ts';

const local = testApp();
const named = testApp({ PARLEY_BASE_URL: 'https://parley.example' });

/** One request of each kind, with its status. */
const requests: [number, string, string, unknown?][] = [
  [404, 'GET', '/nowhere'],
  [404, 'GET', '/%ff'],
  [401, 'GET', '/api/SHOP/groups'],
  [404, 'GET', '/api/nobody/groups'],
  [404, 'GET', '/api/'],
  [404, 'GET', `/api/${'x'.repeat(600)}/groups`],
  [401, 'POST', '/api/webhooks/unknown', '{}'],
  [401, 'POST', '/api/webhooks/%ff', '{}'],
  [404, 'POST', '/whatsapp/callbacks/unknown', '{}'],
  [200, 'GET', '/auth/session'],
  [403, 'POST', '/auth/sign-out', {}],
  [401, 'GET', '/dashboard-api/SHOP/overview'],
];

describe.each([
  ['without a base URL', local, undefined],
  ['with one', named, 'max-age=31536000'],
] as const)('%s', (_name, app, transportSecurity) => {
  const expectSafe = ({ headers }: { headers: Record<string, unknown> }, what: string) => {
    expect(headers['x-content-type-options'], what).toBe('nosniff');
    expect(headers['strict-transport-security'], what).toBe(transportSecurity);
  };

  test.each(requests)(
    'the %s of %s %s is not stored, sniffed or read over plain HTTP',
    async (status, method, path, body) => {
      const { slug } = await app.tenant({ number: false });
      const response = await call(app, method, path.replace('SHOP', slug), body);
      expect(response.status).toBe(status);
      expectSafe(response, path);
      expect(response.headers['cache-control']).toBe('no-store');
    },
  );

  test('responses of the API and the dashboard with data are not stored, sniffed or read over plain HTTP', async () => {
    const shop = await app.tenant({ number: false });
    const member = await signIn(app, shop);
    for (const response of [
      await shop.call('GET', '/groups'),
      await shop.call('POST', '/groups', { name: 'New' }),
      await shop.call('POST', '/groups', { name: '' }),
      await member.call('GET', '/overview'),
      await openLive(app, shop.slug, member.cookie),
    ]) {
      expect(response.headers['cache-control']).toBe('no-store');
      expectSafe(response, String(response.status));
    }
  });

  test('pages and descriptions may be cached, and are not sniffed', async () => {
    expectSafe(await call(app, 'GET', '/'), '/');
    for (const path of ['/openapi.json', '/docs', '/docs/start.js']) {
      const response = await call(app, 'GET', path);
      expectSafe(response, path);
      expect(response.headers['cache-control']).not.toBe('no-store');
    }
  });
});

test('responses of the simulator are not sniffed', async () => {
  for (const path of [
    '/',
    '/phone/phone.js',
    '/simulator/numbers',
    '/simulator/none',
    '/%ff',
    '/v25.0/1',
  ]) {
    const response = await fetch(`${local.simulator.url}${path}`);
    await response.arrayBuffer();
    expect(response.headers.get('x-content-type-options'), path).toBe('nosniff');
  }
});

/** Opens the live stream, which does not end on its own. */
async function openLive(app: TestApp, slug: string, cookie: string) {
  const url = `${app.url}/dashboard-api/${slug}/live`;
  const gone = new AbortController();
  const response = await fetch(url, { headers: { cookie }, signal: gone.signal });
  gone.abort();
  return { status: response.status, headers: Object.fromEntries(response.headers) };
}
