import { Type } from 'typebox';
import {
  type ErrorCode,
  errorCodes,
  type FieldErrors,
  textsOf,
} from '../platform/errors/api-error.ts';
import { errorBody } from '../platform/errors/send-error.ts';
import { exampleCursor } from '../platform/http/cursor.ts';
import { doc } from '../platform/http/field-schema.ts';

/** The body of every response that is not a success (docs/spec.md, section 7). */
export const errorSchema = Type.Object(
  {
    success: Type.Literal(false, doc('The request was not carried out.')),
    message: Type.String(doc('What went wrong, in one sentence.', 'phone_number is required')),
    errors: Type.Unsafe<Record<string, string[]>>({
      type: 'object',
      additionalProperties: Type.Array(Type.String()),
      ...doc('The faults by field; empty if no field is at fault.', {
        phone_number: ['is required'],
      }),
    }),
    code: Type.Unsafe<ErrorCode>({
      type: 'string',
      enum: errorCodes,
      ...doc(
        'A stable code for programs. Later versions may add codes. `outcome_unknown`: the message may have been sent.',
        'validation_failed',
      ),
    }),
    data: Type.Optional(
      Type.Object(
        {
          id: Type.Optional(
            Type.Integer(
              doc(
                'With `outcome_unknown`: the message, for `GET /messages/id:{id}`. With `validation_failed`: the ' +
                  'contact that has the phone or the external id, if nothing else is wrong.',
                42,
              ),
            ),
          ),
          oldest: Type.Optional(
            Type.String(
              doc('With `cursor_expired`: the oldest cursor that still works.', exampleCursor),
            ),
          ),
        },
        doc('What a program needs to act on the code.'),
      ),
    ),
  },
  { title: 'Error' },
);

const count = { type: 'integer', minimum: 0 };
const quota = { oneOf: [count, { type: 'string', enum: ['unlimited'] }] };
const text = { type: 'string' };

/** Every response header that a caller can act on. */
export const responseHeaders = {
  'RateLimit-Limit': header('Requests of the token per calendar minute.', count, 60),
  'RateLimit-Remaining': header('Requests left in this minute.', count, 59),
  'RateLimit-Reset': header('Seconds until the next calendar minute.', count, 42),
  'X-Message-Quota-Limit': header('Messages of the token per calendar day (UTC).', quota, 1000),
  'X-Message-Quota-Remaining': header('Messages left on this day.', quota, 999),
  'X-Message-Quota-Reset': header('Seconds until the next day (UTC).', count, 3600),
  'Retry-After': header('Seconds until the same request can succeed.', { ...count, minimum: 1 }, 5),
  'Idempotency-Replayed': header(
    'Present if this is the stored response to an earlier request with the same key.',
    { ...text, enum: ['true'] },
    'true',
  ),
  'X-Request-Id': header(
    'Identifies the request. Parley’s log has it too.',
    text,
    '3f9d2f0a-5a0e-4f0b-8c43-2b1f6f0d9a51',
  ),
  'Content-Disposition': header(
    'The name of the file.',
    text,
    `attachment; filename="a.pdf"; filename*=UTF-8''a.pdf`,
  ),
  'Accept-Ranges': header('Present if `Range` can request a part.', text, 'bytes'),
  'Content-Range': header('The part, and the size of the file.', text, 'bytes 0-99/48211'),
  'WWW-Authenticate': header('The authentication scheme.', text, 'Bearer'),
  Allow: header(
    'The methods of the path, if it has others than that of the request.',
    text,
    'GET, POST',
  ),
};

type HeaderName = keyof typeof responseHeaders;

function header(description: string, schema: object, example: string | number): object {
  return { description, schema, example };
}

const rateLimit: HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const messageQuota: HeaderName[] = [
  'X-Message-Quota-Limit',
  'X-Message-Quota-Remaining',
  'X-Message-Quota-Reset',
];

/** The headers by kind of request. The response to a POST can be a replay, and a send has a quota. */
const variants = {
  '': rateLimit,
  ToPost: [...rateLimit, 'Idempotency-Replayed'],
  ToSend: [...rateLimit, ...messageQuota, 'Idempotency-Replayed'],
} as const satisfies Record<string, HeaderName[]>;

type Variant = keyof typeof variants;

/** The responses that many operations share, by name. */
export const sharedResponses: Record<string, object> = {
  Unauthorized: errorResponse(
    'The token is missing, not valid or not active yet.',
    errorBody('The API token is missing or not valid.', 'unauthorized'),
    ['WWW-Authenticate'],
  ),
  ...sharedBy(''),
  ...sharedBy('ToPost'),
  ...sharedBy('ToSend'),
};

function sharedBy(variant: Variant): Record<string, object> {
  const headers = variants[variant];
  const isSend = variant === 'ToSend';
  return {
    [`BadRequest${variant}`]: errorResponse(
      'The request could not be read: a wrong content type, a body that is not JSON, is larger than ' +
        `1 MB or has more than 10,000 values${variant ? ', or an Idempotency-Key that is not valid' : ''}.`,
      errorBody('The body is not valid JSON.', 'bad_request'),
      headers,
    ),
    [`NotFound${variant}`]: errorResponse(
      'No such tenant, path or record.',
      errorBody('Not found.', 'not_found'),
      [...headers, 'Allow'],
    ),
    [`RateLimited${variant}`]: errorResponse(
      isSend
        ? 'The token has used up its requests of the minute or its messages of the day, the number has ' +
            'reached WhatsApp’s rate limit, or this address made too many requests without a valid token.'
        : 'The token has used up its requests of the minute, this address made too many requests ' +
            'without a valid token, the clients of the tenant have not read 32 MB of long responses yet, or the ' +
            'tenant uploads or downloads too many files at the same time.',
      errorBody(
        'This token may make 60 requests per calendar minute. Try again in 5 s.',
        'rate_limited',
      ),
      [...headers, 'Retry-After'],
    ),
    [`ServerError${variant}`]: errorResponse(
      isSend
        ? 'Something went wrong on our side, or the network cannot be reached: retry after ' +
            '`Retry-After`. With the code `network_refused`, the number or its token is at fault: do not ' +
            'retry. With the code `outcome_unknown`, the message may have been sent: if there is a `Retry-After`, retry with the same Idempotency-Key; otherwise look the message up ' +
            'by its id first.'
        : 'Something went wrong on our side, or the network cannot be reached for a file: retry after ' +
            '`Retry-After`. With the code `read_too_slow`, ask for less. With the code `network_refused`, the number ' +
            'of the file or its token is at fault: do not retry.',
      isSend
        ? errorBody(
            'The outcome is unknown: the message may have been sent. Before you send it again, look it up with GET /messages/id:42.',
            'outcome_unknown',
            {},
            { data: { id: 42 } },
          )
        : errorBody('Something went wrong on our side. Try again in a moment.', 'internal_error'),
      [...headers, 'Retry-After'],
    ),
  };
}

/** The properties of an operation that decide its responses. */
export type ResponseTraits = {
  abilities: readonly string[];
  /** Whether it has a body or query parameters, which can be invalid. */
  hasInput: boolean;
  /** Whether it is a POST that takes an Idempotency-Key. */
  isPost: boolean;
  isSend: boolean;
  /** Faults by field, for the example of a 422. */
  faults: FieldErrors;
};

/** Lists the error responses of an operation by HTTP status. */
export function errorResponses(traits: ResponseTraits): Record<string, object> {
  const variant = variantOf(traits);
  const headers = variants[variant];
  const [field, faults] = Object.entries(textsOf(traits.faults))[0] ?? ['', []];
  return {
    400: shared(`BadRequest${variant}`),
    401: shared('Unauthorized'),
    403: errorResponse(
      'The token lacks the ability.',
      errorBody(`This token lacks the ability ${traits.abilities.join(' or ')}.`, 'forbidden'),
      headers,
    ),
    404: shared(`NotFound${variant}`),
    ...(traits.hasInput && {
      422: errorResponse(
        traits.isSend
          ? 'A field is missing or not valid. With the code `window_closed`, only a template can be sent. With the ' +
              'code `network_refused`, WhatsApp has refused the message: `message` has the reason, and `errors` the ' +
              'field if one is at fault.'
          : 'A field is missing or not valid.',
        errorBody(`${field} ${faults[0]}`, 'validation_failed', textsOf(traits.faults)),
        headers,
      ),
    }),
    429: shared(`RateLimited${variant}`),
    500: shared(`ServerError${variant}`),
  };
}

/** Lists the responses of an operation that serves a file: the whole file, or the requested part of it. */
export function fileResponses(type: string): Record<string, object> {
  const content = { [type]: { schema: { type: 'string', format: 'binary' } } };
  const headers: HeaderName[] = [...rateLimit, 'Content-Disposition', 'Accept-Ranges'];
  return {
    200: { description: 'The file.', headers: headersOf(headers), content },
    206: {
      description: 'The requested part of the file.',
      headers: headersOf([...headers, 'Content-Range']),
      content,
    },
    416: errorResponse(
      'The requested part begins after the end of the file.',
      errorBody('The requested range begins after the end of the file.', 'range_not_satisfiable'),
      [...rateLimit, 'Accept-Ranges', 'Content-Range'],
    ),
  };
}

/** Lists the headers of a 200 response. */
export function successHeaders(traits: ResponseTraits): object {
  return headersOf(variants[variantOf(traits)]);
}

/** Describes an error response. */
export function errorResponse(
  description: string,
  example: object,
  headers: readonly HeaderName[],
): object {
  const schema = { $ref: '#/components/schemas/Error' };
  return {
    description,
    headers: headersOf(headers),
    content: { 'application/json': { schema, example } },
  };
}

function variantOf({ isPost, isSend }: ResponseTraits): Variant {
  return isSend ? 'ToSend' : isPost ? 'ToPost' : '';
}

function shared(name: string): object {
  return { $ref: `#/components/responses/${name}` };
}

/** References the headers that a response has, besides the one that every response has. */
export function headersOf(names: readonly HeaderName[]): object {
  const all = ['X-Request-Id', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
