import type { Page } from 'playwright-core';

/**
 * Loses the first request to such an address, as a broken network would.
 *
 * The route stays, unlike one with `times: 1`: after its last route the browser stops intercepting requests, and one that
 * it holds at that moment is never answered.
 */
export async function loseFirst(page: Page, address: string | RegExp): Promise<void> {
  let isLost = false;
  await page.route(address, (route) => {
    if (isLost) return route.fallback();
    isLost = true;
    return route.abort();
  });
}
