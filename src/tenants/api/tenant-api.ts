import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifyRequest,
  onRequestHookHandler,
  onResponseHookHandler,
  onSendHookHandler,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteHandlerMethod,
} from 'fastify';
import { actingAsCaller } from '../../audit/actor.ts';
import { isDryRun } from '../../idempotency/is-dry-run.ts';
import { readKey } from '../../idempotency/read-key.ts';
import { createRespondOnce, type SendOfAttempt } from '../../idempotency/respond-once.ts';
import { quotaHeaders, type RequestCounter } from '../../limits/count-request.ts';
import { createUsageGatherer, type SentKind } from '../../limits/gather-usage.ts';
import type { RequestCount } from '../../limits/token-counts.ts';
import type { TenantHolds } from '../../moving/holding/tenant-holds.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { isLostReference } from '../../platform/database/failures/error-codes.ts';
import { isConnectionLost } from '../../platform/database/failures/lost-connection.ts';
import { isWithoutConnection } from '../../platform/database/failures/no-connection.ts';
import { ApiError, tooBusy } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { noSuchPath } from '../../platform/errors/no-such-path.ts';
import { sendError } from '../../platform/errors/send-error.ts';
import { onlyNamedFields } from '../../platform/http/bodies/only-named-fields.ts';
import { compressLong } from '../../platform/http/compress-long.ts';
import { addFurtherFaults } from '../../platform/http/faults/further-faults.ts';
import type { Log } from '../../platform/log.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';
import { createRequestLog } from '../../requests/log-request.ts';
import { loggedParameters } from '../../requests/mask-path.ts';
import type { Ability } from '../tokens/abilities.ts';
import { abilityMissing, type NeededAbilities } from '../tokens/check-abilities.ts';
import { type Caller, createCallerFinder } from './find-caller.ts';
import type { ConcurrencyLimit } from './limit-concurrency.ts';
import type { ReadDatabases } from './read-databases.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; set on every request below `/api/{tenant}`. */
    caller: Caller;
    /** The request's count within its token's minute and day, once counted. */
    counted: RequestCount | undefined;
    /** The attempt of a request with an Idempotency-Key; null without one. */
    attemptId: number | null;
    /**
     * The database of the request. For a POST with an Idempotency-Key this is the transaction that
     * also stores the response, so a route that creates something must use it. For a GET it has a
     * statement timeout, so a route that reads must use it too.
     */
    db: Database;
  }
  interface FastifyContextConfig {
    /** The ability that the token needs. Of a list, any one is enough. */
    ability?: Ability | readonly Ability[];
    /** An ability that the token needs in addition. */
    alsoAbility?: Ability;
    /**
     * The kind of message that the route sends. The statement that stores the message counts the
     * request.
     */
    sends?: SentKind;
    /** The route's own statement counts the request, and stores something other than a message. */
    countedByWrite?: boolean;
    /** Whether the route may wait for long: its caller is looked up again before it responds. */
    waits?: boolean;
    /** Whether a POST takes an Idempotency-Key. Default true; false for bodies that are not JSON. */
    takesKey?: boolean;
    /**
     * Completes the side effects of a sent message. Called when a send with an Idempotency-Key is
     * retried after its response was lost, and its message turns out to have been sent.
     */
    whenFoundSent?: (request: FastifyRequest) => Promise<void>;
  }
}

export type TenantApi = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** What requests below `/api/{tenant}` and those of the dashboard pass through. */
export type ApiServices = {
  db: Database;
  clock: Clock;
  log: Log;
  vault: Vault;
  holds: TenantHolds;
  countRequest: RequestCounter;
  /** Finds the outcome of the message of an interrupted idempotent request. */
  findSend: (tenantId: number, attemptId: number) => Promise<SendOfAttempt>;
  limitConcurrency: ConcurrencyLimit;
  readDatabases: ReadDatabases;
};

/**
 * Registers everything below `/api/{tenant}`. The checks of a request are, in this order: tenant,
 * token, the minute's limit, the ability. Then Fastify reads and validates the body, and the route
 * does its work.
 *
 * A send is counted by the statement that stores it, which saves a round trip, or before its file
 * is fetched if it has one. A send that ends before it is counted is counted here, so that a
 * refused request costs as much as any other.
 *
 * @param addRoutes adds the routes of every feature, from an explicit list
 */
export function tenantApi(
  app: FastifyInstance,
  services: ApiServices,
  addRoutes: (api: TenantApi) => void,
): void {
  const { countRequest } = services;
  const callers = createCallerFinder(services);
  const usage = createUsageGatherer(services);
  const requestLog = createRequestLog(services);
  const respondOnce = createRespondOnce({ ...services, count: countHere });

  app.register(
    async (scope) => {
      const api = scope.withTypeProvider<TypeBoxTypeProvider>();
      // Added to each route and with callbacks, because these hooks are most of the cost of a request.
      api.addHook('onRoute', (route) => {
        const rules = rulesOf(route.config);
        route.onRequest = [admit(rules), ...[route.onRequest ?? []].flat()];
        const { keepResponse } = requestLog;
        route.onSend = [
          addQuota(rules),
          ...[route.onSend ?? []].flat(),
          keepResponse,
          compressLong,
        ];
        const parameters = loggedParameters(route.schema);
        route.onResponse = [record(rules, parameters), ...[route.onResponse ?? []].flat()];
        // Sends are not audited, and a template has as many fields as it likes.
        if (!route.config?.sends) route.handler = actingAsCaller(onlyNamedFields(route));
        // The last wrapper runs first.
        if (route.method === 'POST' && takesKey(route.config))
          route.handler = respondOnce(route.handler);
        if (route.config?.waits) route.handler = admitAgain(rules, route.handler);
        route.handler = services.readDatabases('api', route);
        route.handler = services.limitConcurrency(route);
        route.handler = services.holds.guard(route);
      });
      api.addHook('onClose', () => usage.flush());
      api.addHook('onClose', () => requestLog.flush());

      api.setErrorHandler(async (error, request, reply) =>
        sendError(await firstFault(error, request), request, reply),
      );
      addRoutes(api);
    },
    { prefix: '/api/:tenant' },
  );

  function admit(rules: Rules): onRequestHookHandler {
    return (request, _reply, done) => {
      request.attemptId = null;
      request.db = services.db;
      const known = callers.cached(...credentialsOf(request));
      if (known && rules.countedByRoute) {
        request.caller = known;
        done(abilityMissing(rules, known));
        return;
      }
      admitAndCount(request, rules, known ?? find(request)).then(done, (error) => {
        done(isConnectionLost(error) ? tooBusy(error) : error);
      });
    };
  }

  async function admitAndCount(
    request: FastifyRequest,
    rules: Rules,
    caller: Caller | Promise<Caller>,
  ): Promise<ApiError | undefined> {
    request.caller = await caller;
    if (!rules.countedByRoute) await countHere(request);
    return abilityMissing(rules, request.caller);
  }

  /** Refuses a response to a token that was revoked, or lost the ability, while its request waited. */
  function admitAgain(rules: Rules, handler: RouteHandlerMethod): RouteHandlerMethod {
    return async function (request, reply) {
      const response = await handler.call(this, request, reply);
      const caller = callers.cached(...credentialsOf(request)) ?? (await find(request));
      const missing = abilityMissing(rules, caller);
      if (missing) throw missing;
      return response;
    };
  }

  async function find(request: FastifyRequest): Promise<Caller> {
    const lookup = await callers.find(...credentialsOf(request), request.ip);
    if ('found' in lookup) return lookup.found;
    if (lookup.missing === 'tenant') throw noSuchPath(request.url);
    throw new ApiError('unauthorized', {
      message: lookup.missing === 'active token' ? notActiveYet : undefined,
      headers: { 'www-authenticate': 'Bearer' },
    });
  }

  function addQuota({ sends }: Rules): onSendHookHandler {
    return (request, reply, payload, done) => {
      // A token that is not valid any more has no quota.
      if (request.counted && reply.statusCode !== 401)
        reply.headers(quotaHeaders(request.caller, request.counted, sends !== undefined));
      done(null, payload);
    };
  }

  function record({ sends }: Rules, parameters: Set<string>): onResponseHookHandler {
    return (request, reply, done) => {
      if (request.caller) {
        const { tenantId, tokenId } = request.caller;
        const status = reply.statusCode;
        const isSent =
          status === 200 && !reply.hasHeader('idempotency-replayed') && !isDryRun(request);
        usage.note(tenantId, tokenId, status, isSent ? sends : undefined);
        requestLog.note(request, reply, parameters);
      }
      done();
    };
  }

  async function countHere(request: FastifyRequest): Promise<void> {
    try {
      await countRequest(request.caller, request);
    } catch (error) {
      await refuseIfTenantGone(error, request);
      throw error;
    }
  }

  /**
   * Throws the 404 if a write failed because the tenant was deleted while its caller was still
   * cached.
   */
  async function refuseIfTenantGone(error: unknown, request: FastifyRequest): Promise<void> {
    if (isLostReference(error)) await find(request);
  }

  /**
   * Returns the error to report if a request has several. Once the caller is known, the order is:
   * the tenant is deleted, the minute's limit is reached, the key is not valid, fields of the body
   * are not valid.
   */
  async function firstFault(error: unknown, request: FastifyRequest): Promise<unknown> {
    if (!request.caller) return error;
    // Another failure of the same database must not hide that the request may have taken effect, nor wait again.
    if (isConnectionLost(error) || isWithoutConnection(error)) return error;
    try {
      await refuseIfTenantGone(error, request);
      await countHere(request);
      const isInvalidBody = error instanceof ApiError && error.kind === 'invalid';
      const { config } = request.routeOptions;
      if (isInvalidBody && request.method === 'POST' && takesKey(config)) readKey(request);
      return await addFurtherFaults(error, request);
    } catch (earlier) {
      return earlier;
    }
  }
}

const notActiveYet = fault(
  'token_not_active',
  'This API token is not active yet. Save the API settings in the dashboard to activate it.',
);

const bearer = /^Bearer +(\S+) *$/i;

/** Reads the tenant and the token of a request; the token is empty if there is none. */
function credentialsOf({ params, headers }: FastifyRequest): [tenant: string, token: string] {
  const { tenant } = params as { tenant: string };
  return [tenant, bearer.exec(headers.authorization ?? '')?.[1] ?? ''];
}

/** The rules of a route, derived from its config once. */
type Rules = NeededAbilities & {
  countedByRoute: boolean;
  sends: SentKind | undefined;
};

function rulesOf(config: FastifyContextConfig = {}): Rules {
  const { sends, countedByWrite, alsoAbility } = config;
  return {
    abilities: [config.ability ?? []].flat(),
    alsoAbility,
    sends,
    countedByRoute: sends !== undefined || countedByWrite === true,
  };
}

export function takesKey({ takesKey = true }: FastifyContextConfig = {}): boolean {
  return takesKey;
}
