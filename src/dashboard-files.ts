import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

const built = fileURLToPath(new URL('../web/dashboard/dist', import.meta.url));

/** Pages of the dashboard. All other paths below `/` belong to the service. */
const pages = ['/', '/sign-in', '/welcome', '/account', '/t/*'];

/**
 * Serves the built dashboard. Files under `/assets/` have a hash of their content in the name and are cached
 * for good; the page that names them is revalidated each time.
 */
export async function dashboardFiles(app: FastifyInstance): Promise<void> {
  if (!existsSync(join(built, 'index.html'))) {
    for (const path of pages) app.get(path, { schema: { hide: true } }, respondNotBuilt);
    return;
  }
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  await app.register(fastifyStatic, {
    root: join(built, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
  });
  for (const file of ['theme.js', 'favicon.svg']) {
    app.get(`/${file}`, { schema: { hide: true } }, (_request, reply) =>
      reply.sendFile(file, built, { immutable: false, maxAge: '1h' }),
    );
  }
  const linksFor = createLinks();
  for (const path of pages) {
    app.get(path, { schema: { hide: true } }, (request, reply) => {
      const nonce = randomBytes(16).toString('base64');
      protect(reply, nonce);
      const named = page.replace('</head>', () => `${linksFor(request.url)}</head>`);
      return reply.type('text/html; charset=utf-8').send(named.replaceAll('{{nonce}}', nonce));
    });
  }
}

/** Pages that do not ask who is signed in. */
const openPages = ['/sign-in', '/welcome'];
/** As the dashboard asks for it. A preload with other credentials would not be used. */
const sessionLink = '<link rel="preload" as="fetch" href="/auth/session" crossorigin>';

/**
 * Creates the links that let a browser load the session and the code of a page at once, not one after the other.
 */
function createLinks(): (url: string) => string {
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

/** @param nonce for the few style elements that the dashboard adds at run time */
function protect(reply: FastifyReply, nonce: string): void {
  reply.headers({
    'cache-control': 'no-cache',
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
  });
}

function respondNotBuilt(_request: unknown, reply: FastifyReply) {
  return reply
    .code(200)
    .type('text/html; charset=utf-8')
    .send(
      '<!doctype html><title>Parley</title><p>The dashboard is not built yet: run <code>npm run build</code>, then start Parley again. The API works without it.</p>',
    );
}
