import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export type BuiltPage = {
  /** The name of its folder below `web/`. */
  name: string;
  /** The paths that show the page. */
  paths: string[];
  /** The files that it needs besides those under `/assets/`, such as its icon. */
  files: string[];
  /**
   * Creates the function that returns the links for the head of the page that was asked for.
   *
   * @param built the folder of the build
   */
  createLinks?: (built: string) => (request: FastifyRequest) => string;
  /** @param nonce for the few style elements that the page adds at run time */
  headers: (nonce: string) => Record<string, string>;
  /** HTML for a person who opens the page before it is built. */
  notBuilt: string;
};

/**
 * Serves a built page of `web/`. Files under `/assets/` have a hash of their content in the name and are cached
 * for good; the page that names them is revalidated each time.
 */
export async function serveBuiltPage(
  app: FastifyInstance,
  { name, paths, files, createLinks, headers, notBuilt }: BuiltPage,
): Promise<void> {
  const built = fileURLToPath(new URL(`../web/${name}/dist`, import.meta.url));
  const hidden = { schema: { hide: true } };
  if (!existsSync(join(built, 'index.html'))) {
    for (const path of paths) {
      app.get(path, hidden, (_request, reply) =>
        reply.type('text/html; charset=utf-8').send(`<!doctype html>${notBuilt}`),
      );
    }
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
  for (const file of files) {
    app.get(`/${file}`, hidden, (_request, reply) =>
      reply.sendFile(file, built, { immutable: false, maxAge: '1h' }),
    );
  }
  const linksFor = createLinks?.(built) ?? (() => '');
  for (const path of paths) {
    app.get(path, hidden, (request, reply) => {
      const nonce = randomBytes(16).toString('base64');
      reply.headers({ 'cache-control': 'no-cache', ...headers(nonce) });
      const linked = page.replace('</head>', () => `${linksFor(request)}</head>`);
      return reply.type('text/html; charset=utf-8').send(linked.replaceAll('{{nonce}}', nonce));
    });
  }
}
