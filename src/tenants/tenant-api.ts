import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import { ApiError, notFound, sendError } from '../errors.ts';
import { createAnswerOnce, type SendOfRun } from '../idempotency/answer-once.ts';
import { createRequestCounter, quotaHeaders, refuseOverMinute } from '../limits/count-request.ts';
import type { RequestCount } from '../limits/counted-minute.ts';
import { type Answered, createUsageGatherer } from '../limits/gather-usage.ts';
import type { Clock } from '../platform/clock.ts';
import type { Vault } from '../platform/crypto.ts';
import type { Database } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';
import type { Ability } from './abilities.ts';
import { type Caller, createCallerFinder } from './find-caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; set on every request below `/api/{tenant}`. */
    caller: Caller;
    /** The request's place in its token's minute and day, once counted. */
    counted: RequestCount | undefined;
    /** The run of a request with an Idempotency-Key; null without one. */
    runId: number | null;
    /**
     * The database. For a POST with an Idempotency-Key it is a transaction that commits together
     * with the kept answer, so a route that creates something works on this one.
     */
    db: Database;
  }
  interface FastifyContextConfig {
    /** What the token must be allowed to do; of several, any one. */
    ability?: Ability | readonly Ability[];
    /** The route's own statement counts the request, together with the message it writes down. */
    countedBySend?: boolean;
    /** The same for a route that writes down something other than a message. */
    countedByWrite?: boolean;
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
 * A send is counted by the statement that writes it down, which saves a round trip. When it ends
 * before that, it is counted here at the end, so that a refused request costs as much as any other.
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
    /** What came of the message of an idempotent request that was cut off. */
    findSend: (tenantId: number, runId: number) => Promise<SendOfRun>;
  },
  addRoutes: (api: TenantApi) => void,
): void {
  const findCaller = createCallerFinder(services);
  const countRequest = createRequestCounter(services);
  const usage = createUsageGatherer(services);
  const answerOnce = createAnswerOnce({ ...services, count: countHere });

  app.register(
    async (scope) => {
      const api = scope.withTypeProvider<TypeBoxTypeProvider>();
      api.addHook('onRequest', async (request) => {
        request.runId = null;
        request.db = services.db;
        request.caller = await authenticate(request);
        const { countedBySend, countedByWrite } = request.routeOptions.config;
        if (countedBySend || countedByWrite) {
          refuseWithoutAbility(request);
          return;
        }
        await countHere(request);
        refuseWithoutAbility(request);
      });

      api.addHook('onRoute', (route) => {
        if (route.method === 'POST') route.handler = answerOnce(route.handler);
      });

      api.addHook('onSend', async (request, reply) => {
        if (!request.counted) return;
        const isSend = request.routeOptions.config.countedBySend === true;
        reply.headers(quotaHeaders(request.caller, request.counted, isSend));
      });

      api.addHook('onResponse', async (request, reply) => {
        if (!request.caller) return;
        const { tenantId, tokenId } = request.caller;
        const { statusCode: status } = reply;
        usage.note({ tenantId, tokenId, status, sent: kindOfSend(request, reply) });
      });
      api.addHook('onClose', () => usage.flush());

      api.setErrorHandler(async (error, request, reply) =>
        sendError(await countLate(error, request), request, reply),
      );
      addRoutes(api);
    },
    { prefix: '/api/:tenant' },
  );

  async function authenticate(request: FastifyRequest): Promise<Caller> {
    const { tenant } = request.params as { tenant: string };
    const header = request.headers.authorization ?? '';
    const token = /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
    const lookup = await findCaller(tenant, token, request.ip);
    if ('found' in lookup) return lookup.found;
    if (lookup.missing === 'tenant') throw notFound();
    throw new ApiError('unauthorized', { headers: { 'www-authenticate': 'Bearer' } });
  }

  async function countHere(request: FastifyRequest): Promise<void> {
    if (request.counted) return;
    request.counted = await countRequest(request.caller);
    refuseOverMinute(request.caller, request.counted);
  }

  /** The minute's limit comes before every other fault of a request that has a caller. */
  async function countLate(error: unknown, request: FastifyRequest): Promise<unknown> {
    if (!request.caller) return error;
    try {
      await countHere(request);
      return error;
    } catch (overLimit) {
      return overLimit;
    }
  }
}

/** The kind of message that the network accepted for this request, if it was for one. */
function kindOfSend(request: FastifyRequest, reply: FastifyReply): Answered['sent'] {
  const { countedBySend, ability } = request.routeOptions.config;
  if (!countedBySend || reply.statusCode !== 200) return undefined;
  if (reply.hasHeader('idempotency-replayed')) return undefined;
  return kindByAbility[ability as string];
}

const kindByAbility: Record<string, Answered['sent']> = {
  'messages:text': 'text',
  'messages:media': 'media',
  'messages:template': 'template',
};

function refuseWithoutAbility(request: FastifyRequest): void {
  const needed = [request.routeOptions.config.ability ?? []].flat();
  if (needed.some((ability) => request.caller.abilities.has(ability))) return;
  throw new ApiError('forbidden', {
    message: `This token lacks the ability ${needed.join(' or ')}.`,
  });
}
