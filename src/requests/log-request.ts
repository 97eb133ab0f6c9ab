import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { createRequestGatherer } from './gather-requests.ts';
import { maskRequestBody, maskResponseBody } from './mask-body.ts';
import { maskPath } from './mask-path.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The response as it was before its compression, of a tenant that logs bodies. */
    loggedResponse?: unknown;
  }
}

const maxMessageLength = 500;

/** Creates the log of the requests of tokens, for their tenants. The operator's log is `logRequests`. */
export function createRequestLog({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
  const gatherer = createRequestGatherer({ db, log });

  function logsBodies({ caller }: FastifyRequest): boolean {
    return caller?.logsBodiesUntil !== undefined && caller.logsBodiesUntil > clock.now();
  }

  /** Remembers the response of a tenant that logs bodies. */
  const keepResponse: onSendHookHandler<unknown> = (request, _reply, payload, done) => {
    if (logsBodies(request)) request.loggedResponse = payload;
    done(null, payload);
  };

  return {
    keepResponse,
    /**
     * Notes a request of a token that was responded to.
     *
     * @param parameters the query parameters whose values may be logged
     */
    note(request: FastifyRequest, reply: FastifyReply, parameters: Set<string>): void {
      const { tenantId, tokenId } = request.caller;
      const status = reply.statusCode;
      gatherer.note(tenantId, status, () => {
        const durationMs = Math.round(reply.elapsedTime);
        const withBodies = logsBodies(request);
        return {
          tenantId,
          tokenId,
          at: new Date(clock.now().getTime() - durationMs),
          method: request.method,
          path: maskPath(request, parameters),
          status,
          durationMs,
          requestId: request.id,
          error: status < 400 ? undefined : errorOf(request),
          leftOut: 0,
          requestBody: withBodies ? maskRequestBody(request.givenBody ?? request.body) : null,
          responseBody: withBodies ? maskResponseBody(request.loggedResponse) : null,
        };
      });
    },
    flush: gatherer.flush,
  };
}

function errorOf({ sentError }: FastifyRequest): { code: string; message: string } | undefined {
  if (!sentError) return undefined;
  const { publicCode: code, message } = sentError;
  return {
    code,
    message: message.slice(0, maxMessageLength).replaceAll('\0', '').toWellFormed(),
  };
}
