import { beforeAll, expect, test } from 'vitest';
import type { TestTenant } from '../app.ts';
import { fillTenant, talker } from './fill-tenant.ts';
import { everyLook, look, testDashboard } from './open-dashboard.ts';

const app = testDashboard();
const pages = [
  ['', 'Overview'],
  ['/api', 'API'],
  ['/numbers', 'Numbers'],
  ['/contacts', 'Contacts'],
  ['/labels', 'Labels'],
  ['/templates', 'Templates'],
  ['/conversations', 'Conversations'],
  ['/webhook', 'Webhook'],
  ['/stores', 'Stores'],
  ['/usage', 'Plan and usage'],
  ['/bots', 'Bots'],
  ['/members', 'Members'],
] as const;
let full: TestTenant;
let storeId: number;

beforeAll(async () => {
  full = await app.tenant({ plan: 'pro' });
  ({ storeId } = await fillTenant(app, full));
}, 120_000);

test('every page of a busy tenant holds together, wide and narrow, light and dark', async () => {
  const page = await app.open(full);
  await page.goto(`${app.origin}/t/${full.slug}/templates`);
  await page.getByRole('button', { name: 'Sync now' }).first().click();
  await page.getByText(/^Synced:/).waitFor();
  for (const [path, heading] of pages) {
    await page.goto(`${app.origin}/t/${full.slug}${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.waitForLoadState('networkidle').catch(() => {});
    await look(page, `full${path.replace('/', '-') || '-overview'}`, everyLook);
  }
  await page.goto(`${app.origin}/t/${full.slug}/stores/${storeId}`);
  await page.getByRole('heading', { level: 1, name: 'Tea shop' }).waitFor();
  await look(page, 'full-store', everyLook);
  await page.goto(`${app.origin}/t/${full.slug}/conversations?phone=${encodeURIComponent(talker)}`);
  await page.getByRole('article').first().waitFor();
  await look(page, 'full-thread', everyLook);
  // The list and the thread scroll, not the page, which would show an empty space below them.
  expect(await page.evaluate('document.documentElement.scrollHeight - window.innerHeight')).toBe(0);
}, 400_000);

test('every page of a new tenant says what to do next', async () => {
  const empty = await app.tenant({ number: false });
  const page = await app.open(empty);
  for (const [path, heading] of pages) {
    await page.goto(`${app.origin}/t/${empty.slug}${path}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await look(page, `new${path.replace('/', '-') || '-overview'}`);
  }
}, 400_000);

test('when the service is away, a page says so and offers to try again', async () => {
  const page = await app.open(full);
  let isAway = true;
  await page.route('**/dashboard-api/**', (route) => (isAway ? route.abort() : route.continue()));
  await page.goto(`${app.origin}/t/${full.slug}/labels`);
  await page.getByText('The service cannot be reached.').first().waitFor();
  await look(page, 'unreachable');
  isAway = false;
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByText('Newsletter').first().waitFor();

  // The code of another page comes from the service too.
  await page.route('**/assets/bots-page-*.js', (route) =>
    isAway ? route.abort() : route.continue(),
  );
  await page.route(`${app.origin}/`, (route) => (isAway ? route.abort() : route.continue()));
  isAway = true;
  await page.getByRole('link', { name: 'Bots' }).click();
  await page.getByText('The service cannot be reached.').waitFor();
  await look(page, 'unreachable-page');
  const asked = page.waitForRequest(`${app.origin}/`);
  await page.getByRole('button', { name: 'Try again' }).click();
  await asked;
  await page.getByText('The service cannot be reached.').waitFor();
  await page.getByRole('link', { name: 'Labels' }).click();
  await page.getByText('Newsletter').first().waitFor();
  await page.getByRole('link', { name: 'Bots' }).click();
  await page.getByText('The service cannot be reached.').waitFor();
  isAway = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor();
});

test('when the service has a later dashboard, with other files, a page is taken from that one', async () => {
  const page = await app.open(full);
  let isLater = true;
  await page.route('**/assets/bots-page-*.js', (route) =>
    isLater ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.route(`${app.origin}/`, async (route) => {
    isLater = false;
    await route.fulfill({ body: '<script type="module" src="/assets/index-later.js"></script>' });
  });
  await page.getByRole('link', { name: 'Bots' }).click();
  await page.getByRole('heading', { level: 1, name: 'Bots' }).waitFor();
});
