import type { FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { Config } from '../../config.ts';
import {
  createKeyedSemaphore,
  TooManyWaiting,
} from '../../platform/concurrency/keyed-semaphore.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * True for a request that can keep the database or the process busy for long: only a few of a
     * tenant run at once. False for a write that waits for another host or for its client, and must
     * not delay the other writes of its tenant.
     */
    limitConcurrency?: boolean;
  }
}

/**
 * The share for each of reads and writes, so that both together still leave connections for other
 * tenants.
 */
const shareOfConnections = 0.3;
/** More would not be faster on few cores. */
const maxExpensive = 3;
/** A token makes at most 600 requests per minute, so a single one never reaches this. */
export const defaultMaxWaiting = 1_000;

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

export type WritePermits = ReturnType<typeof createWritePermits>;

/** Creates the permits for the connections that each tenant's writes use at a time, those of its callbacks included. */
export function createWritePermits(config: Pick<Config, 'databaseConnections'>) {
  return createKeyedSemaphore<number>(connectionShare(config));
}

/**
 * Creates the limit for the database connections that each tenant uses at a time: for expensive
 * requests (searches, exports, long lists), and for writes. Further requests of the tenant wait in
 * this process without a connection, so that one tenant cannot slow down the others. Sends and
 * creates of contacts are batched on connections of their own and are not limited.
 *
 * @param maxWaiting the maximum of waiting requests of one tenant, for each kind; more get a 429
 * @returns wraps the handler of a route. It must be outside of `respondOnce`, which holds a
 *   connection from its start. Drops requests whose client disconnects while waiting.
 */
export function createConcurrencyLimit(
  config: Pick<Config, 'databaseConnections'>,
  writePermits: WritePermits,
  maxWaiting = defaultMaxWaiting,
) {
  const expensive = createKeyedSemaphore<number>(Math.min(maxExpensive, connectionShare(config)));

  return function limitConcurrency({
    method,
    config = {},
    handler,
  }: RouteOptions): RouteHandlerMethod {
    const isRead = method === 'GET' || method === 'HEAD';
    const { furtherFaults } = config;
    // Runs after the handler was refused, so it holds no permit. A send's waits for other hosts.
    if (furtherFaults && !config.sends) {
      config.furtherFaults = (request, body) =>
        refuseTooMany(
          maxWaiting,
          writePermits.withPermit(
            request.caller.tenantId,
            () => furtherFaults(request, body),
            maxWaiting,
          ),
        );
    }
    if (config.sends || config.limitConcurrency === false) return handler;
    if (isRead && !config.limitConcurrency) return handler;
    const { withPermit } = config.limitConcurrency ? expensive : writePermits;
    return function (request, reply) {
      if (config.countedByWrite && isBatched(request)) return handler.call(this, request, reply);
      return refuseTooMany(
        maxWaiting,
        withPermit(
          request.caller.tenantId,
          async () => (reply.raw.destroyed ? reply.hijack() : handler.call(this, request, reply)),
          maxWaiting,
        ),
      );
    };
  };
}

/** The number of connections of a pool that one tenant may use at a time, of each kind. */
export function connectionShare({
  databaseConnections,
}: Pick<Config, 'databaseConnections'>): number {
  return Math.max(1, Math.floor(databaseConnections * shareOfConnections));
}

/** Turns the refusal of a semaphore into a 429. */
export async function refuseTooMany<Result>(
  maxWaiting: number,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof TooManyWaiting ? tooMany(maxWaiting, error) : error;
  }
}

/** Whether the write is batched. A write with an Idempotency-Key has a transaction of its own. */
function isBatched({ headers }: FastifyRequest): boolean {
  return headers['idempotency-key'] === undefined;
}

function tooMany(maxWaiting: number, cause: Error): ApiError {
  return new ApiError('rate_limited', {
    message: fault(
      'too_many_waiting',
      'More than {max} requests of this tenant are already waiting. Send fewer at once.',
      { max: maxWaiting },
    ),
    retryAfterSeconds: 1,
    cause,
  });
}
