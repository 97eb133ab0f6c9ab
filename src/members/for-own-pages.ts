import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';

/**
 * Makes all routes of a scope, added from here on, those of our own pages: they are in no
 * description of the API, nobody keeps their answers, and pages of other origins may change nothing.
 */
export function forOwnPages(scope: FastifyInstance, config: Config): void {
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true };
  });
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    refuseForeignOrigin(request, config);
  });
}

/**
 * Refuses a changing request that a page of another origin could have sent with our cookie. Besides
 * this, the cookie is `SameSite=Lax` and bodies are taken as JSON only.
 *
 * @throws ApiError 403
 */
function refuseForeignOrigin(request: FastifyRequest, config: Config): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const site = request.headers['sec-fetch-site'];
  const own = new Set([
    `https://${request.host}`,
    config.baseUrl && new URL(config.baseUrl).origin,
  ]);
  const { origin } = request.headers;
  if (origin !== undefined && own.has(origin) && (site === undefined || site === 'same-origin')) {
    return;
  }
  throw new ApiError('forbidden', { message: 'This request did not come from the dashboard.' });
}
