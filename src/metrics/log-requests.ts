import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { routeOf } from '../platform/errors/send-error.ts';
import type { Log } from '../platform/log.ts';

/**
 * Logs each request in one line: its id, route, status, duration and tenant. Paths, headers and bodies hold data of
 * customers and are never logged.
 *
 * @param which `errors` are responses with 5xx, which are logged beside a share of the requests too
 */
export function logRequests(app: FastifyInstance, log: Log, which: Config['requestLog']): void {
  if (which === 'off') return;
  app.addHook('onResponse', (request, reply, done) => {
    const isSampled = typeof which === 'object' && Math.random() * 100 < which.percent;
    if (which === 'all' || isSampled || reply.statusCode >= 500) {
      log.info(
        {
          reqId: request.id,
          method: request.method,
          ...routeOf(request),
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
        },
        'request',
      );
    }
    done();
  });
}
