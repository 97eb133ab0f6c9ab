import { type FastifyError, fastify } from 'fastify';
import sql from 'sql-template-tag';
import type { Services } from '../services.ts';
import { answerInTime } from './answer-in-time.ts';
import { observeState } from './observe-state.ts';

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
  const app = fastify({ forceCloseConnections: true });
  app.setErrorHandler((err: FastifyError, _request, reply) => {
    const { statusCode = 500, message } = err;
    if (statusCode < 500) return reply.code(statusCode).send({ status: message });
    log.error({ err }, 'telling the operator failed');
    return reply.code(500).send({ status: 'something went wrong; the log says what' });
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
