import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { loadAxe } from './axe.ts';
import { findCutTexts } from './long-texts.ts';
import { wide } from './windows.ts';

/** The folder for the pictures of `look`; none are taken if it is not set. */
const pictures = process.env.PARLEY_SCREENSHOTS;

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

/**
 * Has the window narrow and dark until the test ends. This is how states are checked, and each switch from
 * another look draws the page again.
 */
export async function makeNarrowAndDark(page: Page): Promise<void> {
  await switchTo(page, narrowAndDark);
}

/**
 * Checks the page as it is: no accessibility faults and no horizontal overflow, even if its texts were longer.
 *
 * @param as `pageLooks` once for each page; otherwise it is a state of a page
 * @param stay whether the window may stay in the last of them, which saves a switch
 */
export async function look(
  page: Page,
  name: string,
  as = stateLooks,
  { stay = false } = {},
): Promise<void> {
  const before = page.viewportSize()?.width === narrow.width ? narrowAndDark : wideAndLight;
  await loadAxe(page);
  for (const each of as[0] === before ? as : as.toReversed()) {
    const [width, theme] = each;
    await switchTo(page, each);
    while ((await endFading(page)) > 0);
    if (pictures) await takePicture(page, `${name}-${width}-${theme}`);
    const label = `${name}, ${width}, ${theme}`;
    const overflow = await page.evaluate<number>(
      'Math.max(...[document.documentElement, ...document.querySelectorAll("[role=dialog]")].map((each) => each.scrollWidth - each.clientWidth))',
    );
    expect.soft(overflow, `${label}: sticks out by`).toBe(0);
    expect.soft(await findCutTexts(page), `${label}: with longer texts`).toEqual([]);
    expect.soft(await findFaults(page), label).toEqual([]);
  }
  if (!stay) await switchTo(page, before);
}

/** Switches only what differs, because each switch costs as much as a check of the page. */
async function switchTo(page: Page, [width, theme]: Look): Promise<void> {
  const size = width === 'wide' ? wide : narrow;
  if (page.viewportSize()?.width !== size.width) await page.setViewportSize(size);
  if ((await page.evaluate('document.documentElement.dataset.theme')) === theme) return;
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.locator(`html[data-theme=${theme}]`).waitFor({ state: 'attached' });
}

async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures!, { recursive: true });
  // The whole page; of a dialog only the visible part, because it is fixed in front of the page.
  const fullPage = (await page.locator('[role=dialog], [role=alertdialog]').count()) === 0;
  if (fullPage) await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: join(pictures!, `${name}.png`), fullPage });
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
