import { hostname } from 'node:os';
import { type FastifyError, fastify } from 'fastify';
import sql from 'sql-template-tag';
import { publicUrl } from '../config.ts';
import { safeHeaders } from '../platform/http/safe-headers.ts';
import type { Services } from '../services.ts';
import { answerInTime } from './answer-in-time.ts';
import { isOwnHost } from './is-own-host.ts';
import { observeState } from './observe-state.ts';

/** Of the operator's machines, which are few. */
const maxConnections = 100;

/**
 * Serves `/metrics` to Prometheus and `/health` to whoever starts, stops or balances processes: over
 * plain HTTP on an address of its own, which is for the operator's machines alone. It tells nothing of
 * any tenant.
 *
 * @param options.port the first one; several processes each take the next that is free, so that each
 *   can be asked for its own counts. 0: any free one
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
    log.error({ err }, 'telling the operator failed');
    return reply.code(500).send({ status: 'something went wrong; the log says what' });
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(safeHeaders);
    if (isOwnHost(request.headers.host, names)) return;
    return reply.code(403).send({
      status:
        'this name is not one of ours: use an address, a name without a dot, or that of PARLEY_BASE_URL',
    });
  });
  const look = observeState(services);
  app.get('/metrics', async (_request, reply) => {
    await look();
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  app.get('/health', async (_request, reply) => {
    try {
      await answerInTime(db.query(sql`select 1`));
      return { status: 'ok' };
    } catch {
      return reply.code(503).send({ status: 'the database does not answer' });
    }
  });

  const last = port === 0 ? 0 : port + config.processes - 1;
  for (let each = port; ; each++) {
    try {
      // Else the processes of a cluster would share the port and answer in turns.
      const url = await app.listen({ host, port: each, exclusive: true });
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
