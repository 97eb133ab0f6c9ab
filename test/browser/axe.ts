import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import type { Page } from 'playwright-core';

/** Minified, because each document that is checked runs it. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const path = '/axe.js';

/**
 * Returns the app with axe as one of its files, for `loadAxe`. The browser then has the compiled code in its cache.
 * To send 580 kB to each document through the protocol of the browser's tools costs three times as much.
 */
export function withAxe(app: FastifyInstance): FastifyInstance {
  const routing: FastifyInstance['routing'] = (request, response) => {
    if (request.url !== path) return app.routing(request, response);
    response.writeHead(200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'max-age=31536000, immutable',
    });
    response.end(source);
  };
  return Object.create(app, { routing: { value: routing } });
}

/** Defines `axe` in a page of an app that serves it. */
export async function loadAxe(page: Page): Promise<void> {
  // Does not return `axe`: Playwright would copy it to the test, which takes 0.2 s of CPU time.
  await page.evaluate(`globalThis.axe ? undefined : new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = '${path}';
    script.onload = () => resolve(script.remove());
    script.onerror = () => reject(new Error('axe was not loaded'));
    document.head.append(script);
  })`);
}

/** Defines `axe` in a page of any origin. Evaluated, because a page's policy allows no foreign script. */
export async function addAxe(page: Page): Promise<void> {
  if (await page.evaluate('!globalThis.axe')) await page.evaluate(source);
}
