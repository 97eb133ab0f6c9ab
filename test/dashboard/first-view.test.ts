import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { settled, testDashboard } from '../browser/open-dashboard.ts';
import { signIn } from '../features/sign-in.ts';

const app = testDashboard();
const latencyMs = 50;

type Timing = { path: string; start: number; answered: number };

/** Opens a page in a new browser that is 50 ms away, and returns when each request was sent and answered. */
async function timingsOf(page: Page, address: string): Promise<Timing[]> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await page.goto(`${app.origin}${address}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  return page.evaluate<Timing[]>(`performance.getEntriesByType('navigation')
    .concat(performance.getEntriesByType('resource'))
    .map((each) => ({
      path: new URL(each.name).pathname,
      start: each.startTime,
      answered: each.responseStart || each.responseEnd,
    }))`);
}

/** Counts the requests that waited for an earlier one, in the longest row. */
function longestRow(timings: Timing[]): Timing[] {
  const rows: Timing[][] = [];
  for (const each of timings.toSorted((a, b) => a.start - b.start)) {
    const before = rows
      .filter((row) => row.at(-1)!.answered <= each.start)
      .reduce<Timing[]>((longest, row) => (row.length > longest.length ? row : longest), []);
    rows.push([...before, each]);
  }
  return rows.reduce((longest, row) => (row.length > longest.length ? row : longest), []);
}

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
  const timings = await timingsOf(page, `/t/${tenant.slug}${path}`);
  const row = longestRow(timings);
  expect(row.length, JSON.stringify({ row, timings }, null, 1)).toBeLessThanOrEqual(3);
  const paths = timings.map((each) => each.path);
  expect(paths.filter((each) => each === '/auth/session')).toHaveLength(1);
});
