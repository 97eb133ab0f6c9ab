import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { serveBuiltPage } from './built-page.ts';

/** Serves the built dashboard. All paths that are not its own belong to the service. */
export function dashboardFiles(app: FastifyInstance): Promise<void> {
  return serveBuiltPage(app, {
    name: 'dashboard',
    paths: ['/', '/sign-in', '/welcome', '/account', '/t/*'],
    files: ['theme.js', 'favicon.svg'],
    createLinks,
    headers: (nonce) => ({
      'content-security-policy': [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        "img-src 'self' data: blob:",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ].join('; '),
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    }),
    notBuilt:
      '<title>Parley</title><p>The dashboard is not built yet: run <code>npm run build</code>, then start Parley again. The API works without it.</p>',
  });
}

/** Pages that do not ask who is signed in. */
const openPages = ['/sign-in', '/welcome'];
/** As the dashboard asks for it. A preload with other credentials would not be used. */
const sessionLink = '<link rel="preload" as="fetch" href="/auth/session" crossorigin>';

/**
 * Creates the links that let a browser load the session and the code of a page at once, not one after the other.
 */
function createLinks(built: string): (url: string) => string {
  const preloads: Record<string, string[]> = JSON.parse(
    readFileSync(join(built, 'preloads.json'), 'utf8'),
  );
  const links = Object.entries(preloads).map(([address, files]): [string[], string] => {
    const code = files.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
    const session = openPages.includes(address) ? [] : [sessionLink];
    return [address.split('/'), [...session, ...code].join('')];
  });
  return (url) => {
    const path = url.split('?')[0]!.replace(/\/$/, '').split('/');
    const found = links.find(
      ([address]) =>
        address.length === Math.max(path.length, 2) &&
        address.every((part, index) => part === '*' || part === (path[index] ?? '')),
    );
    return found?.[1] ?? '';
  };
}
