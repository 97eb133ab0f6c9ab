import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';

/**
 * Restricts all routes that are added to a scope afterwards to our own pages: they are not in the
 * API description, and pages of other origins cannot change anything with them.
 */
export function forOwnPages(scope: FastifyInstance, config: Config): void {
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true };
  });
  scope.addHook('onRequest', async (request) => refuseForeignOrigin(request, config));
}

/**
 * Refuses a request that changes something if a page of another origin could have sent it with our
 * cookie. In addition, the cookie is `SameSite=Lax` and bodies must be JSON.
 *
 * @throws ApiError 403
 */
function refuseForeignOrigin(request: FastifyRequest, config: Config): void {
  const { method, headers } = request;
  if (method === 'GET' || method === 'HEAD') return;
  const site = headers['sec-fetch-site'];
  const isOwn = headers.origin !== undefined && headers.origin === ownOrigin(request, config);
  if (isOwn && (site === undefined || site === 'same-origin')) return;
  throw new ApiError('forbidden', {
    message: fault('foreign_request', 'This request did not come from the dashboard.'),
  });
}

/**
 * Without a base URL, the Host header names the origin. Never X-Forwarded-Host: a client can send
 * it through a proxy that does not overwrite it.
 */
function ownOrigin({ headers }: FastifyRequest, { baseUrl }: Config): string | undefined {
  if (baseUrl) return baseUrl;
  return headers.host ? `https://${headers.host}` : undefined;
}
