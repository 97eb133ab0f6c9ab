import { describe, expect, test } from 'vitest';
import { sameOrigin, signIn } from '../../test/features/sign-in.ts';
import { call, type TestApp, testApp } from '../../test/program/app.ts';

const trustedProxies = { PARLEY_TRUSTED_PROXIES: '127.0.0.1/32' };
const local = testApp(trustedProxies);
const named = testApp({ ...trustedProxies, PARLEY_BASE_URL: 'https://parley.example' });

/** Makes a change as a member with these headers, and returns the HTTP status. */
async function change(app: TestApp, headers: Record<string, string>): Promise<number> {
  const shop = await app.tenant({ number: false });
  const { cookie } = await signIn(app, shop);
  const path = `/dashboard-api/${shop.slug}/groups`;
  return (await call(app, 'POST', path, { name: 'New' }, { cookie, ...headers })).status;
}

const foreign: [string, Record<string, string>][] = [
  ['no origin', {}],
  ['an empty origin', { origin: '' }],
  ['a null origin', { origin: 'null' }],
  ['another origin', { origin: 'https://evil.example' }],
  [
    'another origin and the same forwarded host',
    { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' },
  ],
  ['plain HTTP', { origin: sameOrigin.origin.replace('https:', 'http:') }],
  ['an empty Host header', { host: '', origin: 'https://' }],
];

describe.each([
  ['without a base URL', local],
  ['with a base URL', named],
] as const)('%s, a change is refused with', (_name, app) => {
  test.each(foreign)('%s', async (_what, headers) => {
    expect(await change(app, headers)).toBe(403);
  });
});

test('without a base URL, our origin is the Host header, whatever X-Forwarded-Host says', async () => {
  const { origin } = sameOrigin;
  expect(await change(local, { origin })).toBe(200);
  expect(await change(local, { origin, 'x-forwarded-host': 'evil.example' })).toBe(200);
  const host = 'messages.example';
  expect(await change(local, { host, origin: `https://${host}` })).toBe(200);
});

test('with a base URL, only its origin is accepted', async () => {
  expect(await change(named, { origin: 'https://parley.example' })).toBe(200);
  expect(await change(named, sameOrigin)).toBe(403);
});

test('a page of the same site with another origin is refused', async () => {
  const { origin } = sameOrigin;
  expect(await change(local, { origin, 'sec-fetch-site': 'same-site' })).toBe(403);
});
