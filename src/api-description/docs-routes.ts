import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { addSamples } from './add-samples.ts';
import { createPublicContent } from './public-content.ts';

// The files of Swagger UI. Its own package, swagger-ui-dist, reports installations to a third party.
const files = join(
  dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui/package.json')),
  'static',
);

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Parley API</title>
<link rel="icon" href="/favicon.svg">
<script src="/docs/theme.js"></script>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Swagger UI is dark by a class. The choice of the dashboard holds here too, otherwise that of the system. */
const theme = `const dark = matchMedia('(prefers-color-scheme: dark)');
const apply = () => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('parley-theme');
  } catch {
    // Storage is switched off.
  }
  const isDark = chosen === 'light' || chosen === 'dark' ? chosen === 'dark' : dark.matches;
  document.documentElement.classList.toggle('dark-mode', isDark);
};
apply();
dark.addEventListener('change', apply);
addEventListener('storage', apply);
`;

/** Stands for the tenant in the samples, until the page replaces it. */
const anyTenant = 'tenant-of-the-page';

/**
 * `/docs?tenant=acme` has the samples of that tenant. The page fills it in, so that the service makes the description only
 * once, however many tenants are named. The search finds words of paths and summaries.
 */
const start = `const given = new URLSearchParams(location.search).get('tenant') ?? '';
const tenant = /^[a-z0-9-]{1,63}$/.test(given) ? given : 'demo';
const description = '/docs/description.json';

const search = (groups, phrase) => {
  const words = phrase.toLowerCase().split(/\\s+/).filter(Boolean);
  const matches = (operation) => {
    const texts = [operation.get('method'), operation.get('path'), operation.getIn(['operation', 'summary'])];
    const text = texts.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => group.set('operations', group.get('operations').filter(matches)))
    .filter((group) => group.get('operations').size > 0);
};

SwaggerUIBundle({
  url: description,
  responseInterceptor: (response) => {
    if (response.url.endsWith(description)) {
      response.text = response.text.replaceAll('${anyTenant}', tenant);
    }
    return response;
  },
  filter: true,
  plugins: [{ fn: { opsFilter: search } }],
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

/**
 * Serves the description at `/openapi.json`, and an interactive reference at `/docs` that loads nothing from other
 * hosts.
 *
 * @param url the public address of the service
 */
export function docsRoutes(app: FastifyInstance, url: string): void {
  const hidden = { schema: { hide: true } };
  const sendDescription = createPublicContent(() =>
    JSON.stringify({ ...app.apiDescription(), servers: [{ url }] }),
  );
  app.get('/openapi.json', hidden, (request, reply) => {
    reply.headers({ 'cache-control': 'no-cache', 'access-control-allow-origin': '*' });
    return sendDescription(request, reply.type('application/json; charset=utf-8'));
  });
  const serve = (path: string, type: string, read: () => string | Buffer) => {
    const send = createPublicContent(read);
    app.get(path, hidden, (request, reply) =>
      send(request, addSecurityHeaders(reply).type(`${type}; charset=utf-8`)),
    );
  };
  serve('/docs/description.json', 'application/json', () => {
    // The page may call its own origin only.
    const served = { ...app.apiDescription(), servers: [{ url: '/' }] };
    return JSON.stringify(addSamples(served, { url, tenant: anyTenant }));
  });
  for (const path of ['/docs', '/docs/']) serve(path, 'text/html', () => page);
  serve('/docs/theme.js', 'text/javascript', () => theme);
  serve('/docs/start.js', 'text/javascript', () => start);
  serve('/docs/swagger-ui-bundle.js', 'text/javascript', () => readAsset('swagger-ui-bundle.js'));
  serve('/docs/swagger-ui.css', 'text/css', () => readAsset('swagger-ui.css'));
}

function readAsset(name: string): Buffer {
  return readFileSync(join(files, name));
}

function addSecurityHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'cache-control': 'no-cache',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
}
