import type { FastifyInstance } from 'fastify';
import type { ReadinessCheck } from './check-readiness.ts';

/**
 * `/healthz` responds while the process lives, and `/readyz` says whether it can serve: not before it is ready, not
 * once it stops, and not without its database.
 *
 * @param withReason whether to say why it cannot serve, which is for the operator only
 */
export function healthRoutes(
  app: FastifyInstance,
  checkReadiness: ReadinessCheck,
  { withReason }: { withReason: boolean },
): void {
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const readiness = await checkReadiness();
    if (readiness === 'ready') return { status: 'ready' };
    return reply.code(503).send({ status: withReason ? readiness : 'not_ready' });
  });
}
