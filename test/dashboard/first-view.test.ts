import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { testDashboard } from '../browser/open-dashboard.ts';
import { signIn } from '../features/sign-in.ts';

const app = testDashboard();

/**
 * Opens a page in a new browser and returns what it asks for in each round trip, until it is drawn.
 *
 * A round trip is not timed: no request is answered until the page has asked for everything that it can ask for
 * without the answer. So a slow machine and a slow network give the same result.
 */
async function roundTrips(page: Page, address: string): Promise<string[][]> {
  const held: Route[] = [];
  const trips: string[][] = [];
  await page.route('**/*', (route) => {
    // It stays open, and no view waits for it.
    if (pathOf(route).endsWith('/live')) return route.continue();
    held.push(route);
  });
  const opened = page.goto(`${app.origin}${address}`);
  await expect.poll(() => held.length).toBe(1);
  do {
    const trip = held.splice(0);
    // A page that waits for nothing, and yet is not drawn, would keep this loop for ever.
    expect(trip, 'requests of a page that is not drawn').not.toEqual([]);
    trips.push(trip.map(pathOf));
    await Promise.all(trip.map(answered));
    await allAsked(page, held);
  } while (!(await isDrawn(page)));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await Promise.all(held.map((route) => route.continue().catch(() => undefined)));
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

async function answered(route: Route): Promise<void> {
  await route.continue();
  await (await route.request().response())?.finished();
}

/** Whether the page has a heading, and no part of it is still being loaded. */
function isDrawn(page: Page): Promise<boolean> {
  return page.evaluate(`!!document.querySelector('h1') && !document.querySelector('.skeleton')`);
}

const pathOf = (route: Route) => new URL(route.request().url()).pathname;

test.each([
  ['', 'Overview'],
  ['/stores', 'Stores'],
  ['/webhook', 'Webhook'],
  ['/contacts', 'Contacts'],
])('the first view of /t/{tenant}%s takes at most three round trips in a row', async (path) => {
  const tenant = await app.tenant();
  const page = await app.blank();
  const { cookie } = await signIn(app, tenant, 'owner', 'Ada Lovelace');
  const [name, value] = cookie.split('=') as [string, string];
  await page
    .context()
    .addCookies([{ name, value, domain: 'localhost', path: '/', secure: true, httpOnly: true }]);
  const trips = await roundTrips(page, `/t/${tenant.slug}${path}`);
  expect(trips.length, JSON.stringify(trips, null, 1)).toBeLessThanOrEqual(3);
  expect(trips.flat().filter((each) => each === '/auth/session')).toHaveLength(1);
});
