import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isTimedOut } from '../database/is-timed-out.ts';
import { isWithoutConnection } from '../database/no-connection.ts';
import {
  ApiError,
  badRequest,
  type ErrorCode,
  type FieldErrors,
  kinds,
  tooBusy,
  tooSlow,
} from './api-error.ts';

/** The body of every error response. `more` is left out if there is nothing more. */
export function errorBody(
  message: string,
  errors: FieldErrors = {},
  more: { code?: ErrorCode; data?: object } = {},
) {
  return { success: false as const, message, errors, ...more };
}

/**
 * Maps any thrown error to a response. An error that is not in the table is a 500 with a request id, by which
 * its log line can be found.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = asApiError(error);
  const note = (line: { err: unknown; reqId?: string }) =>
    request.log.error(line, 'request failed');
  if (!known) {
    const reqId = crypto.randomUUID();
    note({ reqId, err: error });
    return reply.code(500).send(errorBody(`${kinds.server_error.message} Request ${reqId}.`));
  }
  if (known.status >= 500) note({ err: known.passing ? inShort(known) : known });
  const { publicCode: code, data } = known;
  return reply
    .code(known.status)
    .headers(known.headers)
    .send(errorBody(known.message, known.errors, { code, data }));
}

/** Returns undefined for unexpected errors. */
function asApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (isTimedOut(error)) return tooSlow(error);
  const passes = isWithoutConnection(error) || isOutOfRoom(error);
  return passes ? tooBusy(error) : fromFastify(error as FastifyError);
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

/** Converts Fastify's own refusals (unreadable body, wrong content type, too long) to errors of the table. */
function fromFastify(error: FastifyError): ApiError | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return badRequest('The body must be JSON, sent with Content-Type: application/json.', error);
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return badRequest('The body is empty; it must be a JSON object.', error);
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return badRequest('The body is not valid JSON.', error);
  }
  if (error instanceof SyntaxError) return badRequest('The body is not valid JSON.', error);
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return badRequest(kinds.bad_request.message, error);
  }
  return undefined;
}
