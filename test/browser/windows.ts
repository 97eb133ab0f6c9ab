import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { notePresses } from './describe-page.ts';
import { sharedBrowser } from './launch-browser.ts';

/** The size of a window, unless a test changes it. */
export const wide = { width: 1280, height: 860 };

/**
 * Windows that no test uses now. A new one costs a process of its own, with all scripts to compile: three times
 * what it costs to open a page in a window that has shown it before.
 */
const idle: Page[] = [];

/**
 * Opens a browser window of its own, with no cookies, storage or routes, for one test. Two windows of a test
 * share nothing.
 *
 * @param still an address that shows nothing but a text, of the origin whose pages the test opens
 */
export async function openWindow(still: string): Promise<Page> {
  const page = idle.pop() ?? (await newWindow(await sharedBrowser()));
  onTestFinished(async ({ task }) => {
    const hasPassed = task.result?.state !== 'fail';
    if (hasPassed && (await isAsNew(page, still).catch(() => false))) idle.push(page);
    else await page.context().close();
  });
  return page;
}

async function newWindow(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: wide,
    locale: 'en-GB',
    // Animations cost the processor, and no test is about them.
    reducedMotion: 'reduce',
  });
  // Less than the timeout of a test, so that the hanging step is named.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.addInitScript(notePresses);
  return page;
}

/**
 * Undoes what the test has done to the window.
 *
 * @returns whether that was possible; a fake clock stays for good
 */
async function isAsNew(page: Page, still: string): Promise<boolean> {
  const context = page.context();
  // Requests may still be in progress, and nobody waits for them any more.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  for (const event of ['request', 'requestfinished', 'requestfailed', 'console', 'pageerror']) {
    page.removeAllListeners(event);
    context.removeAllListeners(event);
  }
  for (const other of context.pages()) if (other !== page) await other.close();
  // Otherwise the pointer is over what the next test draws there.
  await page.mouse.move(0, 0);
  await context.setOffline(false);
  await context.clearCookies();
  await context.clearPermissions();
  // Here for the storage of another origin, and again where no script of a page writes to it.
  await page.evaluate(emptyStorage).catch(() => false);
  await page.goto(still);
  // After the page of the test has gone, which would be drawn again for nothing.
  await page.emulateMedia({
    media: null,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    forcedColors: null,
  });
  await page.setViewportSize(wide);
  return page.evaluate<boolean>(emptyStorage);
}

/** Returns whether the time is the real one, which no clock of Playwright moves. */
const emptyStorage = `localStorage.clear();
sessionStorage.clear();
!('__pwClock' in globalThis);`;
