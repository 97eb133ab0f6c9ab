import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../platform/metrics.ts';

/**
 * Measures every request from its headers to the last byte of its response, and counts errors by their code, and those
 * over a limit by the code of their message, which names the limit.
 */
export function measureRequests(
  app: FastifyInstance,
  { httpRequests, httpErrors, httpLimited }: Metrics,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    // The requested path could name a tenant, and would be a new series each time.
    const route = request.routeOptions.url ?? 'none';
    const labels = { method: request.method, route, status: reply.statusCode };
    httpRequests.observe(labels, reply.elapsedTime / 1_000);
    const { publicCode: code = 'none', fault } = request.sentError ?? {};
    if (reply.statusCode >= 500) httpErrors.inc({ code });
    if (reply.statusCode === 429) httpLimited.inc({ reason: fault?.code ?? code });
    done();
  });
}
