import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Tracing } from '../platform/tracing/tracing.ts';
import { parseNetworks } from '../platform/values/networks.ts';

/**
 * Makes each request of the API a span. A trusted proxy may continue its own trace with the header `traceparent`;
 * anybody else could switch on the traces that the operator leaves out.
 */
export function traceRequests(
  app: FastifyInstance,
  tracing: Tracing,
  trustedProxies: string[],
): void {
  if (!tracing.isOn) return;
  const proxies = parseNetworks(trustedProxies);
  const spans = new WeakMap<FastifyRequest, ReturnType<Tracing['begin']>>();

  app.addHook('onRequest', (request, _reply, done) => {
    if (!isOfApi(request)) return done();
    const given = request.headers.traceparent;
    const isTrusted = proxies.includes(request.raw.socket.remoteAddress ?? '');
    const parent = isTrusted && typeof given === 'string' ? given : undefined;
    const options = { kind: 'server' as const, attributes: { 'parley.request_id': request.id } };
    const span = tracing.begin(nameOf(request), options, parent);
    spans.set(request, span);
    span.run(done);
  });

  app.addHook('onResponse', (request, reply, done) => {
    spans.get(request)?.end({
      name: nameOf(request),
      attributes: {
        'http.request.method': request.method,
        'http.route': request.routeOptions.url ?? 'none',
        'http.response.status_code': reply.statusCode,
      },
      isFailure: reply.statusCode >= 500,
    });
    done();
  });
}

function isOfApi(request: FastifyRequest): boolean {
  return request.routeOptions.url?.startsWith('/api/') ?? false;
}

/** Not the path, which may have phones. */
function nameOf(request: FastifyRequest): string {
  return `${request.method} ${request.routeOptions.url ?? 'none'}`;
}
