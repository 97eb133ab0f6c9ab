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
} from 'fastify';
import { ApiError, noSuchPath, sendError } from '../errors.ts';
import { readKey } from '../idempotency/read-key.ts';
import { createRespondOnce, type SendOfAttempt } from '../idempotency/respond-once.ts';
import { quotaHeaders, type RequestCounter } from '../limits/count-request.ts';
import { createUsageGatherer, type SentKind } from '../limits/gather-usage.ts';
import type { RequestCount } from '../limits/token-counts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Vault } from '../platform/crypto.ts';
import type { Database } from '../platform/database/database.ts';
import { isLostReference } from '../platform/database/is-lost-reference.ts';
import { addFurtherFaults } from '../platform/http/further-faults.ts';
import type { Log } from '../platform/log.ts';
import { type Caller, createCallerFinder } from './find-caller.ts';
import type { ConcurrencyLimit } from './limit-concurrency.ts';
import type { Ability } from './tokens/abilities.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set on every request below `/api/{tenant}`. */
    caller: Caller;
    /** The request's place in its token's minute and day, once counted. */
    counted: RequestCount | undefined;
    /** The run of a request with an Idempotency-Key; null without one. */
    attemptId: number | null;
    /**
     * The database. For a POST with an Idempotency-Key it is a transaction that commits together
     * with the kept answer, so a route that creates something works on this one.
     */
    db: Database;
  }
  interface FastifyContextConfig {
    /** What the token must be allowed to do; of several, any one. */
    ability?: Ability | readonly Ability[];
    /** The kind of message that the route sends. The statement that stores the message counts the request. */
    sends?: SentKind;
    /** The route's own statement counts the request, and stores something other than a message. */
    countedByWrite?: boolean;
    /**
     * Does what goes together with a message that was sent. For a send with an Idempotency-Key whose
     * answer was lost, when it comes again and its message turns out to have been sent.
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

/**
 * Everything below `/api/{tenant}`. Each request passes, in this order: tenant, token, the minute's
 * limit, the ability; then Fastify reads and validates the body, and the route does its work.
 *
 * A send is counted by the statement that writes it down, which saves a round trip; one that has a
 * file fetched before that, before the fetch. When it ends before it is counted, it is counted here at
 * the end, so that a refused request costs as much as any other.
 *
 * @param addRoutes adds the routes of every feature, by an explicit list
 */
export function tenantApi(
  app: FastifyInstance,
  services: {
    db: Database;
    clock: Clock;
    log: Log;
    vault: Vault;
    countRequest: RequestCounter;
    /** What came of the message of an idempotent request that was cut off. */
    findSend: (tenantId: number, attemptId: number) => Promise<SendOfAttempt>;
    limitConcurrency: ConcurrencyLimit;
  },
  addRoutes: (api: TenantApi) => void,
): void {
  const { countRequest } = services;
  const callers = createCallerFinder(services);
  const usage = createUsageGatherer(services);
  const respondOnce = createRespondOnce({ ...services, count: countHere });

  app.register(
    async (scope) => {
      const api = scope.withTypeProvider<TypeBoxTypeProvider>();
      // By route and with callbacks: what every request passes is most of what it costs.
      api.addHook('onRoute', (route) => {
        const rules = rulesOf(route.config);
        route.onRequest = [admit(rules), ...[route.onRequest ?? []].flat()];
        route.onSend = [addQuota(rules), ...[route.onSend ?? []].flat()];
        route.onResponse = [noteUsage(rules), ...[route.onResponse ?? []].flat()];
        if (route.method === 'POST') route.handler = respondOnce(route.handler);
        route.handler = services.limitConcurrency(route);
      });
      api.addHook('onClose', () => usage.flush());

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
      const known = callers.known(...shownBy(request));
      if (known && rules.countedByRoute) {
        request.caller = known;
        done(abilityMissing(rules, known));
        return;
      }
      admitAndCount(request, rules, known ?? find(request)).then(done, done);
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

  async function find(request: FastifyRequest): Promise<Caller> {
    const lookup = await callers.find(...shownBy(request), request.ip);
    if ('found' in lookup) return lookup.found;
    if (lookup.missing === 'tenant') throw noSuchPath(request.url);
    throw new ApiError('unauthorized', {
      message: lookup.missing === 'active token' ? notActiveYet : undefined,
      headers: { 'www-authenticate': 'Bearer' },
    });
  }

  function addQuota({ sends }: Rules): onSendHookHandler {
    return (request, reply, payload, done) => {
      if (request.counted)
        reply.headers(quotaHeaders(request.caller, request.counted, sends !== undefined));
      done(null, payload);
    };
  }

  function noteUsage({ sends }: Rules): onResponseHookHandler {
    return (request, reply, done) => {
      if (request.caller) {
        const { tenantId, tokenId } = request.caller;
        const status = reply.statusCode;
        const isSent = status === 200 && !reply.hasHeader('idempotency-replayed');
        usage.note(tenantId, tokenId, status, isSent ? sends : undefined);
      }
      done();
    };
  }

  async function countHere(request: FastifyRequest): Promise<void> {
    try {
      await countRequest(request.caller, request);
    } catch (error) {
      await findIfLost(error, request);
      throw error;
    }
  }

  /** A caller stays known for a moment after its tenant is gone, and then a write fails: throws its 404. */
  async function findIfLost(error: unknown, request: FastifyRequest): Promise<void> {
    if (isLostReference(error)) await find(request);
  }

  /**
   * The fault that a request is told of, where it has several. Once its caller is known, they come in
   * this order: the tenant is gone, the minute is full, the key cannot be read, the fields of the body
   * are wrong.
   */
  async function firstFault(error: unknown, request: FastifyRequest): Promise<unknown> {
    if (!request.caller) return error;
    try {
      await findIfLost(error, request);
      await countHere(request);
      const isOfFields = error instanceof ApiError && error.kind === 'invalid';
      if (isOfFields && request.method === 'POST') readKey(request);
      return await addFurtherFaults(error, request);
    } catch (earlier) {
      return earlier;
    }
  }
}

const notActiveYet =
  'This API token is not active yet. Save the API settings in the dashboard to activate it.';

const bearer = /^Bearer +(\S+) *$/i;

/** The tenant and the token that a request shows; an empty token for none. */
function shownBy({ params, headers }: FastifyRequest): [tenant: string, token: string] {
  const { tenant } = params as { tenant: string };
  return [tenant, bearer.exec(headers.authorization ?? '')?.[1] ?? ''];
}

/** The rules of a route, derived from its config once. */
type Rules = {
  abilities: readonly Ability[];
  countedByRoute: boolean;
  sends: SentKind | undefined;
};

function rulesOf(config: FastifyContextConfig = {}): Rules {
  const { sends, countedByWrite } = config;
  return {
    abilities: [config.ability ?? []].flat(),
    sends,
    countedByRoute: sends !== undefined || countedByWrite === true,
  };
}

function abilityMissing({ abilities }: Rules, caller: Caller): ApiError | undefined {
  if (abilities.some((ability) => caller.abilities.has(ability))) return undefined;
  return new ApiError('forbidden', {
    message: `This token lacks the ability ${abilities.join(' or ')}.`,
  });
}
