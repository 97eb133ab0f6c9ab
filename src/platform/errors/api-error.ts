/**
 * The one table of error kinds: the status of each, and its message if there is none more specific. The
 * statuses are all that the API has.
 */
export const kinds = {
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
 * A stable code in the body, for clients.
 * - outcome_unknown: a message may have been sent; `data` has its id
 */
export type ErrorCode = 'outcome_unknown';

/** Messages about fields, by field name. */
export type FieldErrors = Record<string, string[]>;

type ErrorDetails = {
  /** The message for the caller; that of the kind if absent. */
  message?: string;
  errors?: FieldErrors;
  /** Seconds after which the same request may succeed, sent as `Retry-After`. */
  retryAfterSeconds?: number;
  headers?: Record<string, string | number>;
  /** `code` of the body. (Fastify sets `code` of the error itself.) */
  publicCode?: ErrorCode;
  /** `data` of the body, for clients that act on the code. */
  data?: object;
  /** Transient: the same request may succeed later. */
  passing?: boolean;
  /** For the log only. */
  cause?: unknown;
};

/** An error response. `message` and `errors` are public; `cause` goes to the log only. */
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

/** Creates a 422 with the messages of each field. The first message is also the summary. */
export function invalid(errors: FieldErrors, cause?: unknown): ApiError {
  return new ApiError('invalid', { message: summaryOf(errors), errors, cause });
}

/** Messages by field. `passing`: all of them are transient, such as a file that could not be fetched. */
export type Faults = { errors: FieldErrors; passing: boolean };

/** Creates a 422 for the faults of several checks. */
export function refusal({ errors, passing }: Faults): ApiError {
  return new ApiError('invalid', { message: summaryOf(errors), errors, passing });
}

/** Merges the faults of several checks. If two report the same field, the first one wins. */
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
 * Creates a 422 on `field`: the tenant has the maximum number of something.
 *
 * @param what is counted, in the plural
 * @param advice what to do, if that is not obvious
 */
export function noRoom(field: string, max: number, what: string, advice = ''): ApiError {
  const full = `cannot be added: the tenant has ${max.toLocaleString('en')} ${what}, the maximum`;
  return invalid({ [field]: [advice ? `${full}. ${advice}` : full] });
}

function summaryOf(errors: FieldErrors): string {
  const [field, messages] = Object.entries(errors)[0] ?? [];
  return field ? `${field} ${messages?.[0]}` : kinds.invalid.message;
}

/** Returns the public message of an ApiError. Other errors are thrown again. */
export function problemOf(error: unknown): string {
  if (error instanceof ApiError && error.status < 500) return error.message;
  throw error;
}

/** Creates a 404, the same for a missing thing and for another tenant's thing. */
export function notFound(): ApiError {
  return new ApiError('not_found');
}

export function badRequest(message: string, cause?: unknown): ApiError {
  return new ApiError('bad_request', { message, cause });
}

/**
 * Creates the error for a database without a free connection in time, or without room. A retry may succeed.
 */
export function tooBusy(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message: 'The service is too busy, or cannot reach its database. Try again in a moment.',
    retryAfterSeconds: 5,
    passing: true,
    cause,
  });
}

/** Creates the error for a read that took longer than PARLEY_API_READ_TIMEOUT_MS or its like. */
export function tooSlow(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message:
      'Reading this took too long, so it was stopped. Ask for less: narrow the filter or the period, or choose a smaller page.',
    passing: true,
    cause,
  });
}
