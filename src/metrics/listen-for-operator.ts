import { hostname } from 'node:os';
import { type FastifyError, fastify } from 'fastify';
import sql from 'sql-template-tag';
import { publicUrl } from '../config.ts';
import { createReadinessCheck } from '../health/check-readiness.ts';
import { healthRoutes } from '../health/routes.ts';
import { safeHeaders } from '../platform/http/safe-headers.ts';
import { everyInterface } from '../platform/listener/every-interface.ts';
import type { Services } from '../services.ts';
import { isOwnHost } from './is-own-host.ts';
import { observeProcess } from './observe-process.ts';
import { observeState } from './observe-state.ts';
import { withQueryTimeout } from './with-query-timeout.ts';

/** The operator has few machines. */
const maxConnections = 100;

/**
 * Serves `/metrics` to Prometheus, and `/healthz`, `/readyz` and `/health` to supervisors and load balancers, over
 * plain HTTP on a separate address for the operator's machines only. None shows anything of a tenant.
 *
 * @param options.port the first port to try. Each of several processes takes the next free one, so that each
 *   has its own counts. 0 for any free port
 */
export async function listenForOperator(
  services: Services,
  { host, port }: { host: string; port: number },
): Promise<{ url: string; close(): Promise<void> }> {
  const { db, log, metrics, config } = services;
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: 1_024,
    requestTimeout: 10_000,
  });
  app.server.maxConnections = maxConnections;
  const names = [hostname(), new URL(publicUrl(config)).hostname].map((name) => name.toLowerCase());
  app.setErrorHandler((err: FastifyError, _request, reply) => {
    const { statusCode = 500, message } = err;
    if (statusCode < 500) return reply.code(statusCode).send({ status: message });
    log.error({ err }, 'a request for metrics or health failed');
    return reply.code(500).send({ status: 'something went wrong; see the log' });
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(safeHeaders);
    if (isOwnHost(request.headers.host, names)) return;
    return reply.code(403).send({
      status:
        'this is not one of our host names: use an address, a name without a dot, or that of PARLEY_BASE_URL',
    });
  });
  const look = observeState(services);
  const lookAtProcess = observeProcess(services);
  app.get('/metrics', async (_request, reply) => {
    await Promise.all([look(), lookAtProcess()]);
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  healthRoutes(app, createReadinessCheck(services), { withReason: true });
  app.get('/health', async (_request, reply) => {
    try {
      await withQueryTimeout(db.query(sql`select 1`));
      return { status: 'ok' };
    } catch {
      return reply.code(503).send({ status: 'the database does not respond' });
    }
  });

  const address = await everyInterface(host);
  const last = port === 0 ? 0 : port + config.processes - 1;
  for (let each = port; ; each++) {
    try {
      // Otherwise the processes of a cluster would share the port and take connections in turn.
      const url = await app.listen({ host: address, port: each, exclusive: true });
      return { url, close: () => app.close() };
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      if (code === 'EADDRINUSE' && each < last) continue;
      const reason = code === 'EADDRINUSE' ? 'another program already listens there' : message;
      throw new Error(
        `Cannot listen on ${host} port ${each}: ${reason}. Set PARLEY_METRICS_HOST and PARLEY_METRICS_PORT to another address, or no port.`,
        { cause },
      );
    }
  }
}
