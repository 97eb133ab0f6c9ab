import type { RouteHandlerMethod, RouteOptions } from 'fastify';
import { holdLockClass } from '../../platform/database/advisory-locks.ts';
import type { Database } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { WorkInProgress } from '../../platform/jobs/work-in-progress.ts';
import type { Log } from '../../platform/log.ts';
import { logFailure } from '../../platform/log-failure.ts';
import { type HeldTenant, listHeldTenants } from './hold-queries.ts';

export const movesChannel = 'tenant_moves';

const retryAfterSeconds = 2;
const lookAgainMs = 500;

/** Why a write is refused. */
export const movingFault = fault(
  'tenant_moving',
  'This tenant is being moved to another server. Nothing was changed. Try again in a moment.',
);

export type TenantHolds = ReturnType<typeof createTenantHolds>;

/**
 * Refuses writes for tenants that are on their way to another cell. When the last write of such a tenant that began
 * earlier has ended, it shows this to `parley tenant move` by a lock that lasts as long as the process and the hold.
 */
export function createTenantHolds(given: { db: Database; log: Log; inProgress: WorkInProgress }) {
  const { db, inProgress } = given;
  let held = new Map<number, HeldTenant>();
  /** The locks of this process, by the id of the move. */
  const locks = new Map<number, Promise<() => Promise<void>>>();
  let looking: Promise<void> = Promise.resolve();
  let stopListening: (() => void) | undefined;

  async function look(): Promise<void> {
    const rows = await listHeldTenants(db);
    held = new Map(rows.map((row) => [row.tenant_id, row]));
    const ids = new Set(rows.map(({ id }) => id));
    for (const [id, lock] of locks) {
      if (ids.has(id)) continue;
      locks.delete(id);
      void lock.then(
        (release) => release(),
        () => {},
      );
    }
    for (const { tenant_id, id } of rows) {
      if (!locks.has(id)) acknowledge(tenant_id, id);
    }
  }

  /** Takes the lock of a hold once nothing is written for the tenant. Without the database, it is tried again. */
  function acknowledge(tenantId: number, id: number): void {
    const lock = inProgress.untilNone(tenantId).then(() => db.lockForLife(holdLockClass, id));
    locks.set(id, lock);
    lock.catch((err) => {
      if (locks.get(id) === lock) locks.delete(id);
      lookAgain(err, 'a held tenant could not be acknowledged');
    });
  }

  function lookInOrder(): Promise<void> {
    looking = looking.then(look).catch((err) => lookAgain(err, 'looking for held tenants failed'));
    return looking;
  }

  function lookAgain(err: unknown, message: string): void {
    logFailure(given, err, message);
    if (stopListening) setTimeout(lookInOrder, lookAgainMs).unref();
  }

  function refuse(tenantId: number, isRead: boolean): void {
    const hold = held.get(tenantId);
    if (!hold || (isRead && hold.serves_reads)) return;
    throw new ApiError('server_error', {
      message: movingFault,
      publicCode: 'tenant_moving',
      retryAfterSeconds,
      passing: true,
    });
  }

  /**
   * Runs `work`, which writes for a tenant, as work in progress.
   *
   * @throws ApiError 500 with `Retry-After` if the tenant is held
   */
  async function write<Result>(tenantId: number, work: () => Promise<Result>): Promise<Result> {
    refuse(tenantId, false);
    return inProgress.during(tenantId, work);
  }

  return {
    write,

    /**
     * Refuses a read of a tenant that has moved or is still arriving.
     *
     * @throws ApiError 500 with `Retry-After`
     */
    checkReads: (tenantId: number) => refuse(tenantId, true),

    /** Wraps the handler of a route, so that it is refused if its tenant is held. */
    guard({ method, handler }: RouteOptions): RouteHandlerMethod {
      if (method === 'GET' || method === 'HEAD') {
        return function (request, reply) {
          refuse(request.caller.tenantId, true);
          return handler.call(this, request, reply);
        };
      }
      return function (request, reply) {
        return write(request.caller.tenantId, async () => handler.call(this, request, reply));
      };
    },

    /** Begins to follow the holds. Afterwards, those that exist are known. */
    async watch(): Promise<void> {
      stopListening = await db.listen(movesChannel, lookInOrder);
      await looking;
    },

    close(): void {
      stopListening?.();
      stopListening = undefined;
    },
  };
}
