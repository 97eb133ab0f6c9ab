import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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

type Preloads = Record<string, { code: string[]; data: string[] }>;

/**
 * Creates the links that let a browser load the session, the code and the data of a page at once, not one after the
 * other.
 */
function createLinks(built: string): (request: FastifyRequest) => string {
  const preloads: Preloads = JSON.parse(readFileSync(join(built, 'preloads.json'), 'utf8'));
  const pages = Object.entries(preloads).map(([address, { code, data }]) => ({
    address: address.split('/'),
    code: code.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`).join(''),
    session: openPages.includes(address) ? '' : linkToData('/auth/session'),
    data,
  }));
  return ({ url, headers: { cookie } }) => {
    const [path = '', search] = url.split('?');
    const parts = path.replace(/\/$/, '').split('/');
    const found = pages.find(
      ({ address }) =>
        address.length === Math.max(parts.length, 2) &&
        address.every((part, index) => part === '*' || part === (parts[index] ?? '')),
    );
    if (!found) return '';
    const names = parts.filter((_, index) => found.address[index] === '*');
    // Search parameters choose other data, and without a session every response would be a refusal.
    const isUsual = search === undefined && names.every((name) => /^[\w-]+$/.test(name));
    const data = isUsual && cookie?.includes('session_token=') ? found.data : [];
    return (
      found.session + data.map((each) => linkToData(fillIn(each, names))).join('') + found.code
    );
  };
}

/** As the dashboard asks for it. A preload with other credentials would not be used. */
const linkToData = (path: string) =>
  `<link rel="preload" as="fetch" href="${path.replaceAll('&', '&amp;')}" crossorigin>`;

/** Puts the names that are in the address of a page in place of each `*`. */
function fillIn(pattern: string, names: string[]): string {
  const left = [...names];
  return pattern.replaceAll('*', () => left.shift() ?? '');
}
