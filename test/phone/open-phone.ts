import type { Page } from 'playwright-core';
import { beforeAll } from 'vitest';
import { phonePage } from '../../src/phone-page.ts';
import { buildApp } from '../../web/build.ts';
import { addAxe } from '../browser/axe.ts';
import { portOfWorker } from '../browser/port-of-worker.ts';
import { openWindow } from '../browser/windows.ts';
import { startTestSimulator, type TestSimulator } from '../servers/simulator.ts';

/** The digits of Ann Lee's phone, to which the simulator of a test sends. */
export const phone = '15551234567';

type Options = {
  /** The address after `/`. Without it the list is opened, and Ann Lee's phone in it by a click. */
  address?: string;
  before?: (page: Page) => Promise<unknown>;
};

export type TestPhones = {
  startNetwork(): Promise<TestSimulator>;
  /** Opens the page of the phones, with a phone of Ann Lee, and collects the browser's errors. */
  open(network: TestSimulator, options?: Options): Promise<{ page: Page; browserErrors: string[] }>;
};

/** Builds the page of the phones, for the tests of a file. */
export function testPhones(): TestPhones {
  beforeAll(async () => {
    await buildApp('phone');
  }, 120_000);

  return {
    startNetwork: async () => startTestSimulator({ page: phonePage, port: await portOfWorker() }),
    async open(network, { address, before } = {}) {
      const page = await openWindow(`${network.url}/icon.svg`);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const browserErrors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') browserErrors.push(message.text());
      });
      page.on('pageerror', (error) => browserErrors.push(String(error)));
      await network.call('POST', '/simulator/phones', { phone, name: 'Ann Lee' });
      await before?.(page);
      await page.goto(`${network.url}/${address ?? ''}`);
      if (address === undefined) await page.getByRole('link', { name: /^Ann Lee/ }).click();
      return { page, browserErrors };
    },
  };
}

/** Lists everything that axe finds on the page. */
export async function axeProblems(page: Page): Promise<string[]> {
  await addAxe(page);
  // Elements have less contrast while they are animated.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((each) => each.effect.getComputedTiming().endTime !== Infinity)
    .map((each) => each.finished))`);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
