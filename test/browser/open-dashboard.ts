import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFailed, onTestFinished, vi } from 'vitest';
import { type Listener, listen } from '../../src/platform/listener/listen.ts';
import { loadTls } from '../../src/platform/tls/load-tls.ts';
import { buildApp } from '../../web/build.ts';
import { signIn } from '../features/sign-in.ts';
import { type TestApp, type TestTenant, testApp } from '../program/app.ts';
import { sharedBrowser } from './launch-browser.ts';

/** The folder for the pictures of `look`; none are taken if it is not set. */
const pictures = process.env.PARLEY_SCREENSHOTS;

const wide = { width: 1280, height: 860 };
const narrow = { width: 390, height: 844 };
type Look = readonly ['wide' | 'narrow', 'light' | 'dark'];
const wideAndLight: Look = ['wide', 'light'];
const narrowAndDark: Look = ['narrow', 'dark'];
/**
 * For a page, once. Examples of parts are checked in all four looks (`web/gallery`), so a page needs to be
 * checked only at each width and in each theme. Pictures are taken of all.
 */
export const pageLooks: readonly Look[] = [
  wideAndLight,
  narrowAndDark,
  ...(pictures
    ? ([
        ['wide', 'dark'],
        ['narrow', 'light'],
      ] as const)
    : []),
];
/** For a form or a state of a page: one look, or two if pictures are taken. */
const stateLooks: readonly Look[] = pictures ? [wideAndLight, narrowAndDark] : [narrowAndDark];

export type TestDashboard = TestApp & {
  /** Over HTTPS, as a browser reaches it. */
  origin: string;
  /**
   * Opens a new browser window of a new, signed-in member of the tenant, on the overview or at another page.
   *
   * @param at such as `/contacts?q=ada`
   */
  open(tenant: TestTenant, options?: { role?: 'owner' | 'staff'; at?: string }): Promise<Page>;
  /** Opens a new browser window without a session. */
  blank(): Promise<Page>;
};

/**
 * Serves the built dashboard over HTTPS with the real app, for the tests of a file.
 */
export function testDashboard(settings: Record<string, string> = {}): TestDashboard {
  let browser: Browser;
  let listener: Listener;
  let dataDir: string;
  const contexts: BrowserContext[] = [];
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
    dataDir = await mkdtemp(join(tmpdir(), 'parley-dashboard-'));
    const tls = await loadTls({ dataDir, names: [] });
    listener = await listen(app.app, { host: '127.0.0.1', port: 0, tls, trustedProxies: [] });
    browser = await sharedBrowser();
    app.origin = `https://localhost:${listener.port}`;
    app.blank = async () => {
      const context = await browser.newContext({
        ignoreHTTPSErrors: true,
        viewport: wide,
        locale: 'en-GB',
        // Animations cost the processor, and no test is about them.
        reducedMotion: 'reduce',
      });
      contexts.push(context);
      // Less than the timeout of a test, so that the hanging step is named.
      context.setDefaultTimeout(60_000);
      const page = await context.newPage();
      await page.addInitScript(notePresses);
      noteComplaints(page, complaints);
      const failed: string[] = [];
      const underWay = new Set<string>();
      page.on('request', (request) => underWay.add(request.url()));
      page.on('requestfinished', (request) => underWay.delete(request.url()));
      page.on('requestfailed', (request) => {
        const why = request.failure()?.errorText;
        underWay.delete(request.url());
        failed.push(`${new Date().toISOString()} ${request.method()} ${request.url()} ${why}`);
      });
      // Requests may still be in progress, and nobody waits for them any more.
      onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
      onTestFailed(async () => console.error(await describePage(page), { failed, underWay }));
      return page;
    };
    app.open = async (tenant, { role = 'owner', at = '' } = {}) => {
      const page = await app.blank();
      const { cookie } = await signIn(app, tenant, role, 'Ada Lovelace');
      const [name, value] = cookie.split('=') as [string, string];
      await page
        .context()
        .addCookies([
          { name, value, domain: 'localhost', path: '/', secure: true, httpOnly: true },
        ]);
      await page.goto(`${app.origin}/t/${tenant.slug}${at}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      return page;
    };
  }, 120_000);

  afterAll(() => expect(complaints).toEqual([]));
  afterAll(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    await listener?.close();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });
  return app;
}

/** Opens a page of the dashboard by its link in the sidebar. */
export async function turnTo(page: Page, heading: string): Promise<void> {
  await page.getByRole('link', { name: heading, exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await settled(page);
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

/** Records the last mouse events of the page and their targets, because a press may be lost. */
const notePresses = `globalThis.presses = [];
for (const type of ['pointerdown', 'pointerup', 'click', 'submit']) {
  addEventListener(type, ({ target }) => {
    presses.push(type + ' on ' + target.nodeName + ' ' + String(target.textContent).slice(0, 20));
    presses.splice(0, presses.length - 8);
  }, true);
}`;

/** Records what a page shows when its test fails. A timeout alone does not say why. */
async function describePage(page: Page): Promise<string> {
  const found = await page
    .evaluate<string>(`(() => {
      const all = (selector) => [...document.querySelectorAll(selector)];
      const dialogs = all('[role=dialog], [role=alertdialog]').length;
      const hidden = all('body > [aria-hidden=true]').length;
      const fields = all('[role=dialog] input, [role=dialog] button').map(
        (each) => (each.disabled ? 'disabled ' : '') + (each.value || each.textContent));
      const focus = document.activeElement.outerHTML.slice(0, 200);
      return innerWidth + ' wide, ' + dialogs + ' dialogs, ' + hidden + ' parts hidden from readers:\\n' +
        document.body.innerText + '\\n' + JSON.stringify({ presses, focus, fields });
    })()`)
    .catch(String);
  return `The page of the failed test, ${page.url()}, ${found}`;
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

/**
 * Checks the page as it is: no accessibility faults and no horizontal overflow.
 *
 * @param as `pageLooks` once for each page; otherwise it is a state of a page
 */
export async function look(page: Page, name: string, as = stateLooks): Promise<void> {
  // Evaluated, not added as an element: the page's policy allows no foreign script.
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(axe.source);
  for (const each of as) {
    const [width, theme] = each;
    await page.setViewportSize(width === 'wide' ? wide : narrow);
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' });
    while ((await endFading(page)) > 0);
    if (pictures) {
      mkdirSync(pictures, { recursive: true });
      // The whole page; of a dialog only the visible part, because it is fixed in front of the page.
      const fullPage = (await page.locator('[role=dialog], [role=alertdialog]').count()) === 0;
      if (fullPage) await page.evaluate('scrollTo(0, 0)');
      await page.screenshot({ path: join(pictures, `${name}-${width}-${theme}.png`), fullPage });
    }
    const label = `${name}, ${width}, ${theme}`;
    const overflow = await page.evaluate<number>(
      'Math.max(...[document.documentElement, ...document.querySelectorAll("[role=dialog]")].map((each) => each.scrollWidth - each.clientWidth))',
    );
    expect.soft(overflow, `${label}: sticks out by`).toBe(0);
    expect.soft(await findFaults(page), label).toEqual([]);
  }
  await page.setViewportSize(wide);
  await page.emulateMedia({ colorScheme: 'light' });
}

/**
 * Ends animations and transitions, such as colours after a change of the theme. It does not wait for them,
 * because those of collapsed elements never end.
 *
 * @returns how many there were
 */
async function endFading(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const fading = document.getAnimations().filter(
      (each) => each.playState === 'running' && each.effect.getComputedTiming().endTime !== Infinity,
    );
    for (const each of fading) each.finish();
    return fading.length;
  })()`);
}

async function findFaults(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    type Violation = { id: string; nodes: { target: string[] }[] };
    const { axe, document } = globalThis as unknown as {
      axe: { run(part: object, options: object): Promise<{ violations: Violation[] }> };
      document: { querySelector(selector: string): object | null };
    };
    // Nobody can use the page behind an open dialog, and it is checked on its own.
    const part = document.querySelector('[role=dialog], [role=alertdialog]') ?? document;
    const { violations } = await axe.run(part, { resultTypes: ['violations'] });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
    );
  });
}
