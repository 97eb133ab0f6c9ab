import type { FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';
import { createKeyedSemaphore, TooManyWaiting } from '../platform/keyed-semaphore.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * True for a request that can keep the database or the process busy for long: few of a tenant run at
     * once. False for a write that waits for the outside, or for its client, and must not keep the other
     * writes of its tenant waiting.
     */
    inTurn?: boolean;
  }
}

/** Reads and writes each, so that all of a tenant at once still leave connections to others. */
const shareOfConnections = 0.3;
/** More at once would be no faster on few cores. */
const maxBusyAtOnce = 3;
/** A token makes at most 600 requests a minute, so no single one is refused for this. */
const defaultMaxWaiting = 1_000;

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

/**
 * Limits how many requests of one tenant use the database connections that all tenants share: searches,
 * exports and long lists, and writes. The others of the tenant wait in this process without a connection,
 * so that one tenant's requests never wait for the locks or the work of another's. Sends and creates of
 * contacts are batched on connections of their own and take no turn.
 *
 * @param maxWaiting of one tenant and of either kind; more are 429
 * @returns wraps the handler of a route. It must be the outermost wrapper: an Idempotency-Key makes a
 *   request hold a connection from its start. A request whose client has left while it waited is not begun.
 */
export function createConcurrencyLimit(
  { databaseConnections }: Pick<Config, 'databaseConnections'>,
  maxWaiting = defaultMaxWaiting,
) {
  const share = Math.max(1, Math.floor(databaseConnections * shareOfConnections));
  const busy = createKeyedSemaphore(Math.min(maxBusyAtOnce, share), maxWaiting);
  const writing = createKeyedSemaphore(share, maxWaiting);

  return function limitConcurrency({
    method,
    config = {},
    handler,
  }: RouteOptions): RouteHandlerMethod {
    const isRead = method === 'GET' || method === 'HEAD';
    if (config.sends || config.inTurn === false) return handler;
    if (isRead && !config.inTurn) return handler;
    const semaphore = config.inTurn ? busy : writing;
    return function (request, reply) {
      if (config.countedByWrite && isBatched(request)) return handler.call(this, request, reply);
      return semaphore
        .withPermit(String(request.caller.tenantId), async () =>
          reply.raw.destroyed ? reply.hijack() : handler.call(this, request, reply),
        )
        .catch((error) => {
          throw error instanceof TooManyWaiting ? tooMany(maxWaiting, error) : error;
        });
    };
  };
}

/** With an Idempotency-Key a write has a transaction of its own. */
function isBatched({ headers }: FastifyRequest): boolean {
  return headers['idempotency-key'] === undefined;
}

function tooMany(maxWaiting: number, cause: Error): ApiError {
  return new ApiError('rate_limited', {
    message: `More than ${maxWaiting.toLocaleString('en')} requests of this tenant wait already. Send fewer at once.`,
    retryAfterSeconds: 1,
    cause,
  });
}
