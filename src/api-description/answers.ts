import { errorBody } from '../errors.ts';

/** The body of every answer that is not a success (spec, section 7). */
export const errorSchema = {
  title: 'Error',
  type: 'object',
  required: ['success', 'message', 'errors'],
  properties: {
    success: { type: 'boolean', const: false },
    message: { type: 'string', description: 'What went wrong, in one sentence.' },
    errors: {
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description: 'What is wrong by field; empty when no field is at fault.',
    },
    code: {
      type: 'string',
      description:
        'A stable word for programs, on some errors. `outcome_unknown`: the message of a send may have been sent.',
      examples: ['outcome_unknown'],
    },
    data: {
      type: 'object',
      required: ['id'],
      properties: {
        id: {
          type: 'integer',
          description:
            'With `outcome_unknown`: our id of the message; `GET /messages/id:{id}` tells what became of it.',
          examples: [42],
        },
      },
      description: 'What the code is about. Absent once the message was deleted with its contact.',
    },
  },
};

const quota = {
  oneOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', const: 'unlimited' },
  ],
};
const seconds = { type: 'integer', minimum: 0 };

/** Every header of an answer that a caller can act on. */
export const answerHeaders = {
  'RateLimit-Limit': {
    description: 'Requests that the token may make per calendar minute.',
    schema: { type: 'integer' },
    example: 60,
  },
  'RateLimit-Remaining': {
    description: 'Requests that are left in this minute.',
    schema: { type: 'integer', minimum: 0 },
    example: 59,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the next calendar minute begins.',
    schema: seconds,
    example: 42,
  },
  'X-Message-Quota-Limit': {
    description: 'Messages that the token may send per calendar day (UTC), or `unlimited`.',
    schema: quota,
    example: 1000,
  },
  'X-Message-Quota-Remaining': {
    description: 'Messages that are left for this day, or `unlimited`.',
    schema: quota,
    example: 999,
  },
  'X-Message-Quota-Reset': {
    description: 'Seconds until the next day (UTC) begins.',
    schema: seconds,
    example: 3600,
  },
  'Retry-After': {
    description: 'Seconds after which the same request can pass.',
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  'Idempotency-Replayed': {
    description: 'Sent when this is the kept answer of an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
};

type HeaderName = keyof typeof answerHeaders;

const rateLimit: HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const messageQuota: HeaderName[] = [
  'X-Message-Quota-Limit',
  'X-Message-Quota-Remaining',
  'X-Message-Quota-Reset',
];

/** Requests differ in the headers of their answers: a POST can be a replay, a send has a quota. */
const variants = {
  '': rateLimit,
  ToPost: [...rateLimit, 'Idempotency-Replayed'],
  ToSend: [...rateLimit, ...messageQuota, 'Idempotency-Replayed'],
} as const satisfies Record<string, HeaderName[]>;

type Variant = keyof typeof variants;

const outcomeUnknown = errorBody(
  'The outcome is unknown: the message may have been sent. Before you send it again, look it up with GET /messages/id:42.',
  {},
  { code: 'outcome_unknown', data: { id: 42 } },
);

/** The answers that are the same for many operations, by name. */
export const sharedAnswers: Record<string, object> = {
  Unauthorized: errorAnswer(
    'The token is missing, not valid or not active yet.',
    errorBody('The API token is missing or not valid.'),
    ['WWW-Authenticate'],
  ),
  ...Object.fromEntries((Object.keys(variants) as Variant[]).flatMap(answersOf)),
};

function answersOf(variant: Variant): [string, object][] {
  const headers = variants[variant];
  return [
    [
      `BadRequest${variant}`,
      errorAnswer(
        `The request could not be read: a body that is not JSON, or is over 1 MB or 10,000 values${variant === '' ? '' : ', an unusable Idempotency-Key'}, or a wrong content type.`,
        errorBody('The body is not valid JSON.'),
        headers,
      ),
    ],
    [
      `NotFound${variant}`,
      errorAnswer('No such tenant, path or record.', errorBody('Not found.'), headers),
    ],
    [
      `RateLimited${variant}`,
      errorAnswer(
        variant === 'ToSend'
          ? 'The token has used up its minute or its messages of the day, the number has reached WhatsApp’s rate limit, or too many requests without a valid token came from this address.'
          : 'The token has used up its minute, or too many requests without a valid one came from this address.',
        errorBody('This token may make 60 requests per calendar minute. Try again in 5 s.'),
        [...headers, 'Retry-After'],
      ),
    ],
    [
      `ServerError${variant}`,
      errorAnswer(
        variant === 'ToSend'
          ? 'Something went wrong on our side, or the network is out of reach: try again after `Retry-After`. ' +
              'With the code `outcome_unknown` the message may have been sent: with `Retry-After`, repeat the ' +
              'request with the same Idempotency-Key; without it, look the message up by its id first.'
          : 'Something went wrong on our side. Try again.',
        variant === 'ToSend'
          ? outcomeUnknown
          : errorBody('Something went wrong on our side. Try again in a moment.'),
        [...headers, 'Retry-After'],
      ),
    ],
  ];
}

/** What decides which answers an operation of a tenant can give. */
export type AnswerTraits = {
  needed: readonly string[];
  /** It reads a body or query parameters, so they can be wrong. */
  hasInput: boolean;
  isPost: boolean;
  isSend: boolean;
  /** What can be wrong with which field, for the example. */
  faults: Record<string, string[]>;
};

/** The answers other than success, by status. */
export function errorAnswers(traits: AnswerTraits): Record<string, object> {
  const variant = variantOf(traits);
  const [field, words] = Object.entries(traits.faults)[0] ?? ['', []];
  return {
    400: shared(`BadRequest${variant}`),
    401: shared('Unauthorized'),
    403: errorAnswer(
      'The token lacks the ability.',
      errorBody(`This token lacks the ability ${traits.needed.join(' or ')}.`),
      variants[variant],
    ),
    404: shared(`NotFound${variant}`),
    ...(traits.hasInput && {
      422: errorAnswer(
        'A field is missing or not valid.',
        errorBody(`${field} ${words[0]}`, traits.faults),
        variants[variant],
      ),
    }),
    429: shared(`RateLimited${variant}`),
    500: shared(`ServerError${variant}`),
  };
}

export function successHeaders(traits: AnswerTraits): object {
  return headersOf(variants[variantOf(traits)]);
}

export function errorAnswer(
  description: string,
  example: object,
  headers: readonly HeaderName[],
): object {
  return {
    description,
    ...(headers.length > 0 && { headers: headersOf(headers) }),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, example },
    },
  };
}

function variantOf({ isPost, isSend }: AnswerTraits): Variant {
  return isSend ? 'ToSend' : isPost ? 'ToPost' : '';
}

function shared(name: string): object {
  return { $ref: `#/components/responses/${name}` };
}

function headersOf(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
