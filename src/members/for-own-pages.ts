import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';

/**
 * Makes all routes of a scope that are added from here on those of our own pages: they are not in the
 * API description, and pages of other origins cannot change anything through them.
 */
export function forOwnPages(scope: FastifyInstance, config: Config): void {
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true };
  });
  scope.addHook('onRequest', async (request) => refuseForeignOrigin(request, config));
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
