import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isWithoutConnection } from './platform/database/no-connection.ts';

/**
 * The one table of error kinds: which status each answers with, and what the caller reads when
 * nothing more exact is known. The statuses are the API's whole set.
 */
const kinds = {
  bad_request: { status: 400, message: 'The request could not be read.' },
  unauthorized: { status: 401, message: 'The API token is missing or not valid.' },
  forbidden: { status: 403, message: 'This token lacks the ability for this operation.' },
  not_found: { status: 404, message: 'Not found.' },
  invalid: { status: 422, message: 'Some fields are not valid.' },
  rate_limited: { status: 429, message: 'Too many requests.' },
  server_error: {
    status: 500,
    message: 'Something went wrong on our side. Try again in a moment.',
  },
} as const;

type ErrorKind = keyof typeof kinds;

/**
 * A stable word in the body, for programs.
 * - outcome_unknown: a message may have been sent; `data` has its id
 */
type ErrorCode = 'outcome_unknown';

/** Field name to the messages about it, in plain words. */
export type FieldErrors = Record<string, string[]>;

type ErrorDetails = {
  /** What the caller reads; the kind's own text when absent. */
  message?: string;
  errors?: FieldErrors;
  /** Seconds after which the same request can pass; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  headers?: Record<string, string | number>;
  /** `code` of the body. (Fastify sets `code` of the error itself.) */
  publicCode?: ErrorCode;
  /** `data` of the body: what a program needs to act on the code. */
  data?: object;
  /** What is wrong may pass by itself, so whoever has time may ask for the same again. */
  passing?: boolean;
  /** What only the log reads. */
  cause?: unknown;
};

/** An answer other than success. `message` and `errors` are public; `cause` goes to the log only. */
export class ApiError extends Error {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly errors: FieldErrors;
  readonly headers: Record<string, string | number>;
  readonly publicCode: ErrorCode | undefined;
  readonly data: object | undefined;
  readonly passing: boolean;

  constructor(kind: ErrorKind, details: ErrorDetails = {}) {
    super(details.message ?? kinds[kind].message, { cause: details.cause });
    this.kind = kind;
    this.status = kinds[kind].status;
    this.errors = details.errors ?? {};
    this.headers = { ...details.headers };
    this.publicCode = details.publicCode;
    this.data = details.data;
    this.passing = details.passing ?? false;
    if (details.retryAfterSeconds !== undefined) {
      this.headers['retry-after'] = Math.max(1, Math.ceil(details.retryAfterSeconds));
    }
  }
}

/** 422 with what is wrong for each field; the first message doubles as the summary. */
export function invalid(errors: FieldErrors, cause?: unknown): ApiError {
  return new ApiError('invalid', { message: summaryOf(errors), errors, cause });
}

/** What is wrong by field. `passing`: all of it is transient, such as a file that could not be fetched. */
export type Faults = { errors: FieldErrors; passing: boolean };

/** 422 for faults that were collected from several checks. */
export function refusal({ errors, passing }: Faults): ApiError {
  return new ApiError('invalid', { message: summaryOf(errors), errors, passing });
}

/** The faults of several checks. If two checks fault a field, the first one says why. */
export function allFaults(...checks: Faults[]): Faults {
  const all: Faults = { errors: {}, passing: true };
  for (const { errors, passing } of checks) {
    for (const [field, messages] of Object.entries(errors)) {
      if (Object.hasOwn(all.errors, field)) continue;
      all.errors[field] = messages;
      all.passing &&= passing;
    }
  }
  return all;
}

export function hasFaults({ errors }: Faults): boolean {
  return Object.keys(errors).length > 0;
}

/**
 * 422 on `field`: the tenant has the maximum number of something.
 *
 * @param what is counted, in the plural
 * @param advice what to do, if that is not plain
 */
export function noRoom(field: string, max: number, what: string, advice = ''): ApiError {
  const full = `cannot be added: the tenant has ${max.toLocaleString('en')} ${what}, the maximum`;
  return invalid({ [field]: [advice ? `${full}. ${advice}` : full] });
}

function summaryOf(errors: FieldErrors): string {
  const [field, messages] = Object.entries(errors)[0] ?? [];
  return field ? `${field} ${messages?.[0]}` : kinds.invalid.message;
}

/** What a caller would be told of a refusal. Whatever else went wrong is thrown on. */
export function problemOf(error: unknown): string {
  if (error instanceof ApiError && error.status < 500) return error.message;
  throw error;
}

/** The same words for a missing thing and for another tenant's thing. */
export function notFound(): ApiError {
  return new ApiError('not_found');
}

/**
 * The same for a path that leads nowhere. Callers of version 1 are told that it has ended, and those
 * whose paths have a slash too many, as when two parts are joined, what is wrong.
 */
export function noSuchPath(url: string): ApiError {
  if (/^\/api\/v1(?![^/?])/.test(url)) {
    return new ApiError('not_found', {
      message: 'Version 1 of the API is no longer supported. Use /api/{tenant}/..., version 2.',
    });
  }
  return /^\/api\/([^?]*\/)?(\/|\?|$)/.test(url) ? slashTooMany() : notFound();
}

/** The same where a part of the path is empty. */
export function slashTooMany(): ApiError {
  return new ApiError('not_found', {
    message: 'Not found. Remove the slash at the end of the path, or the doubled slash in it.',
  });
}

export function badRequest(message: string, cause?: unknown): ApiError {
  return new ApiError('bad_request', { message, cause });
}

/** The body of every answer that is not a success; `more` is left out where there is nothing more to say. */
export function errorBody(
  message: string,
  errors: FieldErrors = {},
  more: { code?: ErrorCode; data?: object } = {},
) {
  return { success: false as const, message, errors, ...more };
}

/**
 * Maps whatever was thrown to an answer. What is not in the table is a 500 that names the request,
 * so that the log line with the same id can be found.
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

/** Undefined for what nobody foresaw. */
function asApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  const passes = isWithoutConnection(error) || isOutOfRoom(error);
  return passes ? tooBusy(error) : fromFastify(error as FastifyError);
}

/** The database's disk is full, or its memory: until there is room again, all that writes ends so. */
function isOutOfRoom(error: unknown): boolean {
  return ['53100', '53200'].includes((error as { code?: string } | null)?.code ?? '');
}

/** Of what passes, and befalls many requests at once: their stacks say nothing. */
function inShort({ message, cause }: ApiError): string {
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first === undefined ? message : String(first);
}

/** The database had no connection for the request in time, or no room: another try may find it. */
export function tooBusy(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message: 'The service is too busy, or cannot reach its database. Try again in a moment.',
    retryAfterSeconds: 5,
    passing: true,
    cause,
  });
}

/** Fastify's own refusals (unreadable body, wrong content type, too long) as errors of the table. */
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
