import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

const built = fileURLToPath(new URL('../web/phone/dist', import.meta.url));

/** Serves the built page of the phones at `/` of the simulator. Its address has the open phone after a `#`. */
export function phonePage(app: FastifyInstance): void {
  if (!existsSync(join(built, 'index.html'))) {
    app.get('/', respondNotBuilt);
    return;
  }
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  app.register(fastifyStatic, {
    root: join(built, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
  });
  app.get('/icon.svg', (_request, reply) =>
    reply.sendFile('icon.svg', built, { immutable: false, maxAge: '1h' }),
  );
  app.get('/', (_request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    protect(reply, nonce);
    return reply.type('text/html; charset=utf-8').send(page.replaceAll('{{nonce}}', nonce));
  });
}

/** @param nonce for the few style elements that dialogs add at run time */
function protect(reply: FastifyReply, nonce: string): void {
  reply.headers({
    'cache-control': 'no-cache',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "connect-src 'self'",
      // Files come from the servers of the business, as on a real phone.
      "img-src 'self' blob: data: https: http:",
      "media-src 'self' blob: https: http:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), payment=()',
  });
}

function respondNotBuilt(_request: unknown, reply: FastifyReply) {
  return reply
    .type('text/html; charset=utf-8')
    .send(
      '<!doctype html><title>Parley simulator</title><p>The page of the phones is not built yet: run <code>npm run build</code>, then start Parley again. The simulated network works without it.</p>',
    );
}
