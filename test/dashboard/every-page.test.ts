import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { look, makeNarrowAndDark, pageLooks } from '../browser/look.ts';
import { openWithin, settled, testDashboard } from '../browser/open-dashboard.ts';
import { eventually } from '../checks/eventually.ts';
import { fillTenant, talker } from '../features/fill-tenant.ts';
import type { TestTenant } from '../program/app.ts';

const app = testDashboard();
const pages = [
  ['', 'Overview'],
  ['/api', 'API'],
  ['/requests', 'Requests'],
  ['/numbers', 'Numbers'],
  ['/contacts', 'Contacts'],
  ['/labels', 'Labels'],
  ['/templates', 'Templates'],
  ['/conversations', 'Conversations'],
  ['/messages', 'Messages'],
  ['/webhook', 'Webhook'],
  ['/stores', 'Stores'],
  ['/usage', 'Plan and usage'],
  ['/bots', 'Bots'],
  ['/members', 'Members'],
  ['/audit', 'Audit log'],
] as const;
const fileName = (heading: string) => heading.toLowerCase().replaceAll(' ', '-');
let full: TestTenant;
let storeId: number;

async function turnTo(page: Page, { slug }: TestTenant, path: string, name: string) {
  await openWithin(page, `/t/${slug}${path}`);
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await settled(page);
}

beforeAll(async () => {
  full = await app.tenant({ plan: 'pro' });
  ({ storeId } = await fillTenant(app, full));
}, 120_000);

test('every page of a busy tenant fits, wide and light, narrow and dark', async () => {
  const page = await app.open(full, { at: '/templates' });
  await page.getByRole('button', { name: 'Sync now' }).first().click();
  await page.getByText(/^Synced:/).waitFor();
  const stay = { stay: true };
  for (const [path, heading] of pages) {
    await turnTo(page, full, path, heading);
    await look(page, `full-${fileName(heading)}`, pageLooks, stay);
  }
  await openWithin(page, `/t/${full.slug}/stores/${storeId}`);
  await page.getByRole('heading', { level: 1, name: 'Tea shop' }).waitFor();
  await look(page, 'full-store', pageLooks, stay);
  await openWithin(page, `/t/${full.slug}/conversations?phone=${encodeURIComponent(talker)}`);
  await page.getByRole('article').first().waitFor();
  await look(page, 'full-thread', pageLooks, stay);
  // The list and the thread scroll, not the page, which would show an empty space below them.
  expect(await page.evaluate('document.documentElement.scrollHeight - window.innerHeight')).toBe(0);
}, 400_000);

test('every page of a new tenant says what to do next', async () => {
  const empty = await app.tenant({ number: false });
  const page = await app.open(empty);
  await makeNarrowAndDark(page);
  for (const [path, heading] of pages) {
    await turnTo(page, empty, path, heading);
    await look(page, `new-${fileName(heading)}`);
  }
}, 400_000);

test('while the service is unreachable, a page says so and offers to retry', async () => {
  let isAway = true;
  const takeAway = (page: Page) =>
    page.route('**/dashboard-api/**', (route) => (isAway ? route.abort() : route.continue()));
  const page = await app.open(full, { at: '/labels', before: takeAway });
  const problem = page.getByText('Parley can’t be reached.');
  await problem.nth(2).waitFor();
  await look(page, 'unreachable');
  isAway = false;
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByText('Newsletter').first().waitFor();
  // One retry loads everything that is missing.
  await eventually(async () => (await problem.count()) === 0);

  // The code of another page comes from the service too.
  await page.route('**/assets/bots-page-*.js', (route) =>
    isAway ? route.abort() : route.continue(),
  );
  await page.route(`${app.origin}/`, (route) => (isAway ? route.abort() : route.continue()));
  isAway = true;
  await page.getByRole('link', { name: 'Bots', exact: true }).click();
  await problem.waitFor();
  await look(page, 'unreachable-page');
  const failure = () =>
    page.waitForEvent('requestfailed', (request) => request.url() === `${app.origin}/`);
  const failed = failure();
  await page.getByRole('button', { name: 'Try again' }).click();
  await failed;
  await problem.waitFor();
  await page.getByRole('link', { name: 'Labels', exact: true }).click();
  await page.getByText('Newsletter').first().waitFor();
  // The page itself asks too, once. If it still did when the service is back, it would reload beside the click.
  const failedAgain = failure();
  await page.getByRole('link', { name: 'Bots', exact: true }).click();
  await failedAgain;
  await problem.waitFor();
  isAway = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor();
});

test('the code of a page that failed to load is loaded again automatically, but not forever', async () => {
  const page = await app.open(full);
  // Not with `times: 1`: after its last route the browser stops intercepting requests, and an intercepted one
  // may be the one that the test waits for.
  let isLost = true;
  await page.route('**/assets/bots-page-*.js', (route) => {
    if (!isLost) return route.continue();
    isLost = false;
    return route.abort();
  });
  await page.getByRole('link', { name: 'Bots', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor();

  await page.route('**/assets/labels-page-*.js', (route) => route.abort());
  await page.evaluate('globalThis.isSame = true');
  const asked = page.waitForResponse(`${app.origin}/`);
  await page.getByRole('link', { name: 'Labels', exact: true }).click();
  await (await asked).finished();
  await page.getByText('Parley can’t be reached.').waitFor();
  await page.evaluate('fetch("/").then((answer) => answer.text())');
  expect(await page.evaluate('globalThis.isSame')).toBe(true);
});

test('if the service has a later dashboard with other files, pages are loaded from that one', async () => {
  const page = await app.open(full);
  let isLater = true;
  await page.route('**/assets/bots-page-*.js', (route) =>
    isLater ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.route(`${app.origin}/`, async (route) => {
    isLater = false;
    await route.fulfill({ body: '<script type="module" src="/assets/index-later.js"></script>' });
  });
  await page.getByRole('link', { name: 'Bots', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor();

  // As during an upgrade, when the page comes from one version, and its script or style is requested from another.
  for (const files of ['**/assets/index-*.js', '**/assets/index-*.css']) {
    let isOther = true;
    await page.route(files, (route) => {
      if (!isOther) return route.continue();
      isOther = false;
      return route.fulfill({ status: 404 });
    });
    await page.reload();
    await page.waitForEvent('load');
    await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor();
  }
});

test('if only the first script is blocked, the page is loaded again once, and says what to do', async () => {
  const page = await app.open(full, { at: '/bots' });
  let isBlocked = true;
  await page.route('**/assets/index-*.js', (route) =>
    isBlocked && route.request().resourceType() === 'script' ? route.abort() : route.continue(),
  );
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads++;
  });
  await page.reload();
  await page.getByText('Parley’s files can’t be loaded.').waitFor();
  expect(loads).toBe(2);
  await look(page, 'blocked');
  isBlocked = false;
  await page.getByRole('button', { name: 'Load again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor();
  expect(loads).toBe(3);
});
