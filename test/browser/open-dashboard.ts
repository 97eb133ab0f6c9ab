import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { type Listener, listen } from '../../src/platform/listener/listen.ts';
import { buildApp } from '../../web/build.ts';
import { signIn } from '../features/sign-in.ts';
import { type TestApp, type TestTenant, testApp } from '../program/app.ts';
import { withAxe } from './axe.ts';
import { sharedTls } from './certificate.ts';
import { describeOnFailure } from './describe-page.ts';
import { portOfWorker } from './port-of-worker.ts';
import { openWindow } from './windows.ts';

export type TestDashboard = TestApp & {
  /** Over HTTPS, as a browser reaches it. */
  origin: string;
  /**
   * Opens a browser window of its own, of a new, signed-in member of the tenant, on the overview or at another page.
   *
   * @param at such as `/contacts?q=ada`
   * @param before prepares the window, as by a fake clock. What is prepared later costs another load of the page
   */
  open(
    tenant: TestTenant,
    options?: {
      role?: 'owner' | 'staff';
      at?: string;
      before?: (page: Page) => Promise<unknown>;
    },
  ): Promise<Page>;
  /** Opens a browser window of its own without a session. */
  blank(): Promise<Page>;
};

/**
 * Serves the built dashboard over HTTPS with the real app, for the tests of a file.
 *
 * @param isCached whether the browser may have the files of the dashboard from other test files
 */
export function testDashboard(
  settings: Record<string, string> = {},
  { isCached = true } = {},
): TestDashboard {
  let listener: Listener;
  const complaints: string[] = [];
  // A browser next to a database, a simulator and other tests is slow on a small machine.
  vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });
  // Built before the app, which reads the page when it starts.
  beforeAll(async () => {
    await buildApp('dashboard');
    await buildApp('phone');
  }, 120_000);
  const app = testApp(settings) as TestDashboard;

  beforeAll(async () => {
    const tls = await sharedTls();
    const port = isCached ? await portOfWorker() : 0;
    const options = { host: '127.0.0.1', port, tls, trustedProxies: [] };
    listener = await listen(withAxe(app.app), options);
    app.origin = `https://localhost:${listener.port}`;
    app.blank = async () => {
      const page = await openWindow(`${app.origin}/theme.js`);
      describeOnFailure(page);
      noteComplaints(page, complaints);
      return page;
    };
    app.open = async (tenant, { role = 'owner', at = '', before } = {}) => {
      const page = await app.blank();
      const { cookie } = await signIn(app, tenant, role, 'Ada Lovelace');
      const [name, value] = cookie.split('=') as [string, string];
      await page
        .context()
        .addCookies([
          { name, value, domain: 'localhost', path: '/', secure: true, httpOnly: true },
        ]);
      await before?.(page);
      await page.goto(`${app.origin}/t/${tenant.slug}${at}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      return page;
    };
  }, 120_000);

  afterAll(() => expect(complaints).toEqual([]));
  afterAll(() => listener?.close());
  return app;
}

/** Opens a page without loading the dashboard again, as a link to its path would. */
export async function openWithin(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`);
  await page.evaluate(`dispatchEvent(new PopStateEvent('popstate'))`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

/** Opens the list of a picker and takes the choice with these words. */
export async function pick(picker: Locator, choice: string): Promise<void> {
  await picker.click();
  const list = picker.page().getByRole('listbox');
  await list.getByRole('option', { name: choice, exact: true }).click();
  await list.waitFor({ state: 'detached' });
}

/** Waits until the page has loaded everything. */
export async function settled(page: Page): Promise<void> {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}

/** Errors on the console, from the content security policy, or thrown. */
function noteComplaints(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // The browser's own message about a response such as 422, which the page explains.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text());
    }
  });
}
