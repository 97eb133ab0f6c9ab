import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../platform/metrics.ts';

/** Measures every request from its headers to the last byte of its response, and counts errors by their code. */
export function measureRequests(app: FastifyInstance, { httpRequests, httpErrors }: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    // The requested path could name a tenant, and would be a new series each time.
    const route = request.routeOptions.url ?? 'none';
    const labels = { method: request.method, route, status: reply.statusCode };
    httpRequests.observe(labels, reply.elapsedTime / 1_000);
    if (reply.statusCode >= 500) httpErrors.inc({ code: request.sentError?.publicCode ?? 'none' });
    done();
  });
}
