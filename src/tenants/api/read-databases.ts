import type { FastifyContextConfig, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { Config } from '../../config.ts';
import { createKeyedSemaphore } from '../../platform/concurrency/keyed-semaphore.ts';
import type { Database, Db, ReadKind } from '../../platform/database/database.ts';
import { connectionShare, defaultMaxWaiting, refuseTooMany } from './limit-concurrency.ts';

export type ReadDatabases = ReturnType<typeof createReadDatabases>;

/**
 * Gives each request that only reads a `request.db` whose statements have a timeout and take a share of the
 * connections for reads. The limit is on statements and not on requests, because a request may run several
 * at once. Expensive reads have permits of their own, so that a tenant's quick reads do not wait for them.
 *
 * @returns wraps the handler of a route. Handlers of other requests stay as they are
 */
export function createReadDatabases({
  db,
  config,
}: {
  db: Database;
  config: Pick<Config, 'databaseConnections'>;
}) {
  const share = connectionShare(config);
  const expensive = createKeyedSemaphore<number>(share, defaultMaxWaiting);
  const quick = createKeyedSemaphore<number>(share, defaultMaxWaiting);

  function within(reads: Db, tenantId: number, { limitConcurrency }: FastifyContextConfig): Db {
    const { withPermit } = limitConcurrency ? expensive : quick;
    return {
      query: (statement) =>
        refuseTooMany(
          defaultMaxWaiting,
          withPermit(tenantId, () => reads.query(statement)),
        ),
    };
  }

  return function readDatabases(
    kind: ReadKind,
    { method, config: rules = {}, handler }: RouteOptions,
  ): RouteHandlerMethod {
    if (method !== 'GET' && method !== 'HEAD') return handler;
    const reads = db.reads[kind];
    return function (request, reply) {
      const { tenantId } = request.caller;
      const { query } = within(reads, tenantId, rules);
      request.db = { ...db, query, batched: within(reads.batched, tenantId, rules) };
      return handler.call(this, request, reply);
    };
  };
}
