import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Request, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import pages from '../../web/dashboard/pages.json' with { type: 'json' };
import { testDashboard } from '../browser/open-dashboard.ts';
import { eventually } from '../checks/eventually.ts';
import { signIn } from '../features/sign-in.ts';

// Nothing of a first view comes from the cache.
const app = testDashboard({}, { isCached: false });

/**
 * Opens a page in a new browser and returns what it asks for in each round trip, until it is drawn.
 *
 * A round trip is not timed: no request is answered until the page has asked for everything that it can ask for
 * without the answer. So a slow machine and a slow network give the same result.
 */
async function roundTrips(page: Page, address: string): Promise<string[][]> {
  const held: Route[] = [];
  const trips: string[][] = [];
  let isHolding = true;
  const ended = endedRequests(page);
  await page.route('**/*', (route) => {
    // It stays open, and no view waits for it.
    if (!isHolding || pathOf(route).endsWith('/live')) return route.continue();
    held.push(route);
  });
  const opened = page.goto(`${app.origin}${address}`);
  await expect.poll(() => held.length).toBe(1);
  do {
    const trip = held.splice(0);
    // A page that waits for nothing, and yet is not drawn, would keep this loop for ever.
    expect(trip, 'requests of a page that is not drawn').not.toEqual([]);
    trips.push(trip.map(pathOf));
    await Promise.all(trip.map((route) => answered(route, ended)));
    await allAsked(page, held);
  } while (!(await isDrawn(page)));
  // The route stays: if the browser stopped intercepting now, requests that it holds could be held for ever.
  isHolding = false;
  await Promise.all(held.map((route) => route.continue()));
  await opened;
  return trips;
}

/** Waits until the page has nothing to do and has asked for nothing more for a while. */
async function allAsked(page: Page, held: Route[]): Promise<void> {
  for (let seen = -1; seen < held.length; ) {
    seen = held.length;
    await sleep(400);
    await page.evaluate('new Promise((done) => requestIdleCallback(done, { timeout: 1000 }))');
  }
}

/** The requests of a page that were answered, or given up by the page itself. */
function endedRequests(page: Page): Set<Request> {
  const ended = new Set<Request>();
  page.on('requestfinished', (request) => ended.add(request));
  page.on('requestfailed', (request) => ended.add(request));
  return ended;
}

/** Answers a request. The page may give it up meanwhile, and `finished` of such a response would never resolve. */
async function answered(route: Route, ended: Set<Request>): Promise<void> {
  await route.continue();
  await eventually(async () => ended.has(route.request()));
}

/** Whether the page has a heading, and no part of it is still being loaded. */
function isDrawn(page: Page): Promise<boolean> {
  return page.evaluate(`!!document.querySelector('h1') && !document.querySelector('.skeleton')`);
}

const pathOf = (route: Route) => new URL(route.request().url()).pathname;

/** Opens a browser in which an owner is signed in. */
async function ownersPage() {
  const tenant = await app.tenant();
  const page = await app.blank();
  const { cookie } = await signIn(app, tenant, 'owner', 'Ada Lovelace');
  const [name, value] = cookie.split('=') as [string, string];
  await page
    .context()
    .addCookies([{ name, value, domain: 'localhost', path: '/', secure: true, httpOnly: true }]);
  return { page, tenant };
}

test.each([
  ['', 2],
  ['/conversations', 2],
  // A page names no data of search parameters in advance.
  ['/conversations?phone=%2B14155550123', 3],
  ['/messages', 2],
  ['/stores', 2],
  ['/webhook', 2],
  ['/contacts', 2],
])('the first view of /t/{tenant}%s takes at most %i round trips in a row', async (path, max) => {
  const { page, tenant } = await ownersPage();
  const trips = await roundTrips(page, `/t/${tenant.slug}${path}`);
  expect(trips.length, JSON.stringify(trips, null, 1)).toBeLessThanOrEqual(max);
  expect(trips.flat().filter((each) => each === '/auth/session')).toHaveLength(1);
});

test('a page uses all data that it names in advance, and names all that it loads', async () => {
  const { page, tenant } = await ownersPage();
  const addresses = Object.keys(pages).filter((each) => /^\/t\/\*(\/[a-z]+)?$/.test(each));
  expect(addresses.length).toBeGreaterThan(10);
  for (const address of addresses) {
    await page.goto(`${app.origin}${address.replace('*', tenant.slug)}`);
    await expect.poll(() => isDrawn(page), { message: address }).toBe(true);
    // The stream, and the count that is read again when it begins, are no data of a page.
    const loaded = await page.evaluate<{ path: string; by: string }[]>(`
      performance.getEntriesByType('resource')
        .map(({ name, initiatorType }) => ({ path: name.slice(location.origin.length), by: initiatorType }))
        .filter(({ path }) => path.startsWith('/dashboard-api/') && !/\\/(live|unread)$/.test(path))`);
    const once = [...new Set(loaded.map(({ path }) => path))].map((path) => ({ path, by: 'link' }));
    expect(loaded, address).toEqual(once);
  }
  // A link that somebody is about to press loads them too.
  await page.goto(`${app.origin}/t/${tenant.slug}`);
  const link = page.getByRole('link', { name: 'Members', exact: true });
  const asked = page.waitForRequest(`**/dashboard-api/${tenant.slug}/members`);
  await link.hover();
  await asked;
  expect(new URL(page.url()).pathname).toBe(`/t/${tenant.slug}`);
});

test('what a page loaded for a session that has ended is not used again', async () => {
  const { page, tenant } = await ownersPage();
  const cookie = { name: '__Secure-parley.session_token', value: 'ended', domain: 'localhost' };
  await page.context().clearCookies();
  await page
    .context()
    .addCookies([{ ...cookie, path: '/', secure: true, httpOnly: true, sameSite: 'Lax' }]);
  const path = `/dashboard-api/${tenant.slug}/members`;
  let requests = 0;
  page.on('request', (request) => {
    if (request.url() === app.origin + path) requests++;
  });
  await page.goto(`${app.origin}/t/${tenant.slug}/members`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(requests).toBe(1);
  await page.evaluate(
    `fetch('${path}', { credentials: 'same-origin' }).then((each) => each.text())`,
  );
  expect(requests).toBe(2);
});

test('a page names no data for a person without a session, nor data of other search parameters', async () => {
  const linksOf = async (url: string, cookie = '') => {
    const { body } = await app.app.inject({ url, headers: { cookie } });
    return [...body.matchAll(/as="fetch" href="([^"]*)"/g)].map(([, href]) => href);
  };
  const session = '__Secure-parley.session_token=1';
  expect(await linksOf('/t/shop/members', session)).toEqual([
    '/auth/session',
    '/dashboard-api/shop/members',
  ]);
  expect(await linksOf('/t/shop/stores/7', session)).toContain(
    '/dashboard-api/shop/stores/7/events',
  );
  expect(await linksOf('/t/shop/members')).toEqual(['/auth/session']);
  expect(await linksOf('/t/shop/members?a=1', session)).toEqual(['/auth/session']);
  expect(await linksOf('/t/%22%3E/members', session)).toEqual(['/auth/session']);
  expect(await linksOf('/sign-in', session)).toEqual([]);
});
