import type { FastifyInstance } from 'fastify';
import { serveBuiltPage } from './built-page.ts';

/** Serves the built page of the phones at `/` of the simulator. Its address has the open phone after a `#`. */
export function phonePage(app: FastifyInstance): Promise<void> {
  return serveBuiltPage(app, {
    name: 'phone',
    paths: ['/'],
    files: ['icon.svg'],
    headers: (nonce) => ({
      'content-security-policy': [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
        // Files come from the servers of the business, as on a real phone.
        "img-src 'self' blob: data: https: http:",
        "media-src 'self' blob: https: http:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      // The microphone records voice messages.
      'permissions-policy': 'camera=(), geolocation=(), payment=()',
    }),
    notBuilt:
      '<title>Parley simulator</title><p>The page of the phones is not built yet: run <code>npm run build</code>, then start Parley again. The simulated network works without it.</p>',
  });
}
