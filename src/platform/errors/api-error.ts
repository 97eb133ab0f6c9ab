import { type Fault, fault } from './fault.ts';

/**
 * The one table of error kinds: the status of each, and its message if there is none more specific. The
 * statuses are all that the API has. The code of the message is `code` of the response, if there is none more exact.
 */
export const kinds = {
  bad_request: {
    status: 400,
    message: fault('bad_request', 'The request could not be read.'),
  },
  unauthorized: {
    status: 401,
    message: fault('unauthorized', 'The API token is missing or not valid.'),
  },
  forbidden: {
    status: 403,
    message: fault('forbidden', 'This token lacks the ability for this operation.'),
  },
  not_found: { status: 404, message: fault('not_found', 'Not found.') },
  range_not_satisfiable: {
    status: 416,
    message: fault(
      'range_not_satisfiable',
      'The requested range begins after the end of the file.',
    ),
  },
  invalid: { status: 422, message: fault('validation_failed', 'Some fields are not valid.') },
  rate_limited: { status: 429, message: fault('rate_limited', 'Too many requests.') },
  server_error: {
    status: 500,
    message: fault('internal_error', 'Something went wrong on our side. Try again in a moment.'),
  },
} as const;

export type ErrorKind = keyof typeof kinds;

/** The codes of errors that are more exact than their kind. docs/errors.md explains all codes. */
export const exactCodes = [
  'quota_exceeded',
  'cursor_expired',
  'window_closed',
  'network_refused',
  'network_unavailable',
  'outcome_unknown',
  'no_connection',
  'tenant_moving',
  'read_too_slow',
] as const;

/** `code` of every error response: stable, for clients. */
export type ErrorCode = (typeof kinds)[ErrorKind]['message']['code'] | (typeof exactCodes)[number];

export const errorCodes: ErrorCode[] = [
  ...Object.values(kinds).map(({ message }) => message.code),
  ...exactCodes,
];

/** The faults of fields, by field name. */
export type FieldErrors = Record<string, Fault[]>;

type ErrorDetails = {
  /** The message for the caller; that of the kind if absent. */
  message?: Fault | undefined;
  errors?: FieldErrors;
  /** Seconds after which the same request may succeed, sent as `Retry-After`. */
  retryAfterSeconds?: number;
  headers?: Record<string, string | number>;
  /** `code` of the body, if it is more exact than that of the kind. (Fastify sets `code` of the error itself.) */
  publicCode?: ErrorCode | undefined;
  /** `data` of the body, for clients that act on the code. */
  data?: object | undefined;
  /** Transient: the same request may succeed later. */
  passing?: boolean;
  /** For the log only. */
  cause?: unknown;
};

/** An error response. Everything but `cause` is public; `cause` goes to the log only. */
export class ApiError extends Error {
  readonly kind: ErrorKind;
  readonly status: number;
  /** The message; undefined if that of the kind says it, or the faults of fields do. */
  readonly fault: Fault | undefined;
  readonly faults: FieldErrors;
  readonly headers: Record<string, string | number>;
  readonly publicCode: ErrorCode;
  readonly data: object | undefined;
  readonly passing: boolean;

  constructor(kind: ErrorKind, details: ErrorDetails = {}) {
    const { message, errors = {} } = details;
    super(message?.text ?? summaryOf(errors) ?? kinds[kind].message.text, { cause: details.cause });
    this.kind = kind;
    this.status = kinds[kind].status;
    this.fault = message;
    this.faults = errors;
    this.headers = { ...details.headers };
    this.publicCode = details.publicCode ?? kinds[kind].message.code;
    this.data = details.data;
    this.passing = details.passing ?? false;
    if (details.retryAfterSeconds !== undefined) {
      this.headers['retry-after'] = Math.max(1, Math.ceil(details.retryAfterSeconds));
    }
  }

  /** The messages about fields, by field name. */
  get errors(): Record<string, string[]> {
    return textsOf(this.faults);
  }
}

/** The texts of faults by field. A field can be called `__proto__`. */
export function textsOf(errors: FieldErrors): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(errors).map(([field, faults]) => [field, faults.map(({ text }) => text)]),
  );
}

/** Creates a 422 with the faults of each field. The first one is also the summary. */
export function invalid(errors: FieldErrors, cause?: unknown): ApiError {
  return new ApiError('invalid', { errors, cause });
}

/** Messages by field. `passing`: all of them are transient, such as a file that could not be fetched. */
export type Faults = { errors: FieldErrors; passing: boolean };

/** Creates a 422 for the faults of several checks. */
export function refusal({ errors, passing }: Faults): ApiError {
  return new ApiError('invalid', { errors, passing });
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

export function hasFaults({ errors }: Pick<Faults, 'errors'>): boolean {
  return Object.keys(errors).length > 0;
}

/**
 * Creates a 422 on `field`: the tenant has the maximum number of something.
 *
 * @param what is counted, in the plural
 * @param advice what to do, if that is not obvious
 */
export function noRoom(field: string, max: number, what: string, advice = ''): ApiError {
  const full = 'cannot be added: the tenant has {max} {what}, the maximum';
  return invalid({
    [field]: [fault('no_room', `${full}${advice && `. ${advice}`}`, { max, what })],
  });
}

function summaryOf(errors: FieldErrors): string | undefined {
  const [field, faults] = Object.entries(errors)[0] ?? [];
  return field === undefined ? undefined : `${field} ${faults?.[0]?.text}`;
}

/** Returns what an ApiError says in public, with the code of its first sentence. Other errors are thrown again. */
export function codedProblemOf(error: unknown): Fault {
  const text = problemOf(error);
  const { kind, fault: said, faults } = error as ApiError;
  const { code, values } = said ?? Object.values(faults)[0]?.[0] ?? (kinds[kind].message as Fault);
  return values ? { code, text, values } : { code, text };
}

/** Returns what an ApiError says in public. Other errors are thrown again. */
export function problemOf(error: unknown): string {
  if (error instanceof ApiError && error.status < 500) return error.message;
  throw error;
}

/** Creates a 404, the same for a missing thing and for another tenant's thing. */
export function notFound(): ApiError {
  return new ApiError('not_found');
}

export function badRequest(message: Fault, cause?: unknown): ApiError {
  return new ApiError('bad_request', { message, cause });
}

/**
 * Creates the error for a database without a free connection in time, or without room. A retry may succeed.
 */
export function tooBusy(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message: fault(
      'no_connection',
      'The service is too busy, or cannot reach its database. Try again in a moment.',
    ),
    publicCode: 'no_connection',
    retryAfterSeconds: 5,
    passing: true,
    cause,
  });
}

/**
 * Creates the error for a change whose database connection was lost.
 *
 * @param isKeyed whether the request has an Idempotency-Key, with which a retry is safe
 */
export function connectionLost(isKeyed: boolean, cause: unknown): ApiError {
  return new ApiError('server_error', {
    message: fault(
      'connection_lost',
      'The connection to the database was lost, so it is not known whether the request took effect. Check before you repeat it.',
    ),
    ...(isKeyed && { retryAfterSeconds: 5 }),
    passing: true,
    cause,
  });
}

/**
 * Creates the error for a read that took longer than PARLEY_API_READ_TIMEOUT_MS or PARLEY_DASHBOARD_READ_TIMEOUT_MS.
 */
export function tooSlow(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message: fault(
      'read_too_slow',
      'Reading this took too long, so it was stopped. Ask for less: narrow the filter or the period, or choose a smaller page.',
    ),
    publicCode: 'read_too_slow',
    passing: true,
    cause,
  });
}
