import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isTimedOut } from '../database/failures/error-codes.ts';
import { isConnectionLost } from '../database/failures/lost-connection.ts';
import { isWithoutConnection } from '../database/failures/no-connection.ts';
import {
  ApiError,
  badRequest,
  connectionLost,
  type ErrorCode,
  tooBusy,
  tooSlow,
} from './api-error.ts';
import { codeOf, fault } from './fault.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The error of the response, for logs. */
    sentError?: ApiError;
  }
}

/** The body of every error response. `more` is left out if there is nothing more. */
export function errorBody(
  message: string,
  code: ErrorCode,
  errors: Record<string, string[]> = {},
  more: { data?: object | undefined } = {},
) {
  return { success: false as const, message, errors, code, ...more };
}

/**
 * Maps any thrown error to a response. The id of the request, which is in `X-Request-Id`, leads to its log line. An
 * error that is not in the table is a 500 that names the id in its message.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  request.sentError = logged(error, request);
  return respond(request.sentError, reply);
}

/** {@link sendError} for pages of our own, which have their own wording: adds the codes of all texts. */
export function sendErrorToOwnPages(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = logged(error, request);
  const faults = Object.entries(known.faults).map(([field, each]) => [field, each.map(codeOf)]);
  return respond(known, reply, {
    says: known.fault && codeOf(known.fault),
    ...(faults.length > 0 && { faults: Object.fromEntries(faults) }),
  });
}

function respond(error: ApiError, reply: FastifyReply, more: object = {}) {
  const { message, publicCode, errors, data } = error;
  return reply
    .code(error.status)
    .headers(error.headers)
    .send(errorBody(message, publicCode, errors, { data, ...more }));
}

/** Returns the error for the client, and logs it if it is a fault of ours. */
function logged(error: unknown, request: FastifyRequest): ApiError {
  const note = (err: unknown) =>
    request.log.error({ reqId: request.id, ...routeOf(request), err }, 'request failed');
  const known = asApiError(error, request);
  if (!known) {
    note(error);
    const message = fault(
      'unexpected',
      'Something went wrong on our side. Try again in a moment. Request {request}.',
      { request: request.id },
    );
    return new ApiError('server_error', { message });
  }
  if (known.status >= 500) note(known.passing ? inShort(known) : known);
  return known;
}

/** The route of a request and its tenant, for logs. Its path can hold data of customers. */
export function routeOf(request: FastifyRequest): { route: string; tenant?: string } {
  const { tenant } = (request.params ?? {}) as { tenant?: string };
  return {
    route: request.routeOptions.url ?? 'none',
    ...(tenant !== undefined && !request.is404 && { tenant }),
  };
}

/** Finds the response for an error; undefined for unexpected errors. */
export function asApiError(error: unknown, request: FastifyRequest): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (isTimedOut(error)) return tooSlow(error);
  if (isConnectionLost(error)) {
    if (hadNoEffect(request)) return tooBusy(error);
    return connectionLost(request.headers['idempotency-key'] !== undefined, error);
  }
  const passes = isWithoutConnection(error) || isOutOfRoom(error);
  return passes ? tooBusy(error) : fromFastify(error as FastifyError);
}

/**
 * Whether a request certainly had no effect if its database connection was lost. For a send, an error after the call
 * of the network is an ApiError.
 */
function hadNoEffect({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD' || routeOptions.config.sends !== undefined;
}

/** Whether the database's disk or memory is full. Until there is room again, all writes fail this way. */
function isOutOfRoom(error: unknown): boolean {
  return ['53100', '53200'].includes((error as { code?: string } | null)?.code ?? '');
}

/** Logs a transient error in one line. It affects many requests at once, and their stacks say nothing. */
function inShort({ message, cause }: ApiError): string {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first === undefined ? message : String(first);
}

export const notJson = fault('body_not_json', 'The body is not valid JSON.');

/** Converts Fastify's own refusals (unreadable body, wrong content type, too long) to errors of the table. */
function fromFastify(error: FastifyError): ApiError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return badRequest(
        fault(
          'body_not_json_type',
          'The body must be JSON, sent with Content-Type: application/json.',
        ),
        error,
      );
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return badRequest(fault('body_empty', 'The body is empty; it must be a JSON object.'), error);
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return badRequest(notJson, error);
  }
  if (error instanceof SyntaxError) return badRequest(notJson, error);
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return new ApiError('bad_request', { cause: error });
  }
  return undefined;
}
