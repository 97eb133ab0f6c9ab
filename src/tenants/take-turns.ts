import type { FastifyInstance } from 'fastify';
import { createGate } from '../platform/gate.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It can keep the database or the process busy for long, so few of a tenant are at work at once. */
    inTurn?: boolean;
  }
}

/** Of the ten connections that all tenants share; more at once would find no faster on few cores. */
const mostAtOnce = 3;

/**
 * Has the requests of one tenant that search, export or show what is long wait for each other, not
 * those of other tenants for them. Whoever left while waiting is forgotten. To be called before routes are added.
 */
export function takeTurns(app: FastifyInstance): void {
  const through = createGate(mostAtOnce);
  app.addHook('onRoute', (route) => {
    if (!route.config?.inTurn) return;
    const { handler } = route;
    route.handler = function (request, reply) {
      return through(String(request.caller.tenantId), async () =>
        reply.raw.destroyed ? reply.hijack() : handler.call(this, request, reply),
      );
    };
  });
}
