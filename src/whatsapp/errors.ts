import { errorCode } from './json.ts';

/** A refusal of the network, read from the Graph API's error body. */
export type GraphError = {
  code: number;
  subcode: number | undefined;
  /** The network's own sentence. */
  title: string;
  details: string | undefined;
  /** False when the body was not a Graph error, so that only the HTTP status is known. */
  fromNetwork: boolean;
  status: number;
};

/**
 * What a code means for the one who sent the message.
 * - field: the request's field that is at fault (the answer is 422)
 * - 'request': the request is at fault, but no one field (422)
 * - 'number': the number, its token or its account is not fit to send (500; the tenant must act)
 * - 'network': the network is busy or down (500 with Retry-After)
 * - 'rate': too many messages in a short time (429 with Retry-After)
 */
type Blame = { field: BlamedField } | 'request' | 'number' | 'network' | 'rate';

export type BlamedField =
  | 'phone_number'
  | 'template_name'
  | 'media_url'
  | 'message'
  | 'caption'
  | 'filename';

type Meaning = { blame: Blame; words: string; retryAfterSeconds?: number };

const phone = { field: 'phone_number' } as const;
const template = { field: 'template_name' } as const;
const media = { field: 'media_url' } as const;

const tokenRefused = 'The network refused the access token of this number.';

/** Codes of the Cloud API, read November 2026 from Meta's error reference and captures of it. */
const meanings: Record<number, Meaning> = {
  0: { blame: 'number', words: tokenRefused },
  2: { blame: 'network', words: 'The network is temporarily unavailable.', retryAfterSeconds: 5 },
  4: {
    blame: 'network',
    words: 'The app made too many calls to the network.',
    retryAfterSeconds: 300,
  },
  10: { blame: 'number', words: 'The access token of this number lacks a permission.' },
  100: { blame: 'request', words: 'The network does not accept a parameter.' },
  190: { blame: 'number', words: tokenRefused },
  368: { blame: 'number', words: 'The business account is blocked for policy violations.' },
  80007: {
    blame: 'network',
    words: 'The account made too many calls to the network.',
    retryAfterSeconds: 300,
  },
  130429: {
    blame: 'rate',
    words: 'This number sends more messages per second than the network allows.',
    retryAfterSeconds: 2,
  },
  131000: {
    blame: 'network',
    words: 'The network failed for an unknown reason.',
    retryAfterSeconds: 5,
  },
  131008: { blame: 'request', words: 'A required parameter is missing.' },
  131009: { blame: 'request', words: 'A parameter has a value that is not valid.' },
  131016: {
    blame: 'network',
    words: 'The network is temporarily unavailable.',
    retryAfterSeconds: 5,
  },
  131021: { blame: phone, words: 'is the sender itself' },
  131026: { blame: phone, words: 'cannot receive this message; it may not be on WhatsApp' },
  131030: { blame: phone, words: 'is not on the list of allowed recipients of this test number' },
  131031: { blame: 'number', words: 'The business account is locked.' },
  131047: { blame: phone, words: 'wrote more than 24 hours ago, so only a template may be sent' },
  131048: {
    blame: 'number',
    words: 'The number may not send for now: too many messages were marked as spam.',
  },
  131049: {
    blame: phone,
    words: 'has reached the network’s limit of marketing messages for now',
  },
  131050: { blame: phone, words: 'has opted out of marketing messages' },
  131051: { blame: 'request', words: 'The network does not support this type of message.' },
  131053: {
    blame: media,
    words: 'could not be fetched by the network, or has a type that the network does not accept',
  },
  131056: {
    blame: 'rate',
    words: 'This phone got too many messages from the number in a short time.',
    retryAfterSeconds: 6,
  },
  131057: { blame: 'network', words: 'The account is in maintenance.', retryAfterSeconds: 60 },
  132000: {
    blame: 'request',
    words: 'The number of values does not match the placeholders of the template.',
  },
  132001: { blame: template, words: 'does not exist in this language, or is not approved' },
  132005: { blame: 'request', words: 'The template becomes too long with these values.' },
  132007: { blame: template, words: 'breaks a policy of the network' },
  132012: {
    blame: 'request',
    words: 'A value does not have the format that the template asks for.',
  },
  132015: { blame: template, words: 'is paused because of low quality' },
  132016: { blame: template, words: 'is disabled because of low quality' },
  133004: {
    blame: 'network',
    words: 'The network is temporarily unavailable.',
    retryAfterSeconds: 5,
  },
  133010: { blame: 'number', words: 'The number is not registered with the network.' },
};

/** Code 100 with the subcode 33: what the path names, a number or an account, and not the request. */
const unknownObject: Meaning = {
  blame: 'number',
  words: 'The network does not let the access token use this number or its account.',
};

const parameters = {
  body: 'message',
  caption: 'caption',
  filename: 'filename',
  link: 'media_url',
} as const;

/** Code 100 that says `Param text['body'] must be ...`: a field that only the network can judge. */
function blamedParameter({ code, title }: GraphError): Meaning | undefined {
  if (code !== 100) return;
  const [, name] = /^\(#100\) Param \w+\['(body|caption|filename|link)'\]/.exec(title) ?? [];
  const field = parameters[name as keyof typeof parameters];
  return field && { blame: { field }, words: 'is not accepted by the network' };
}

/** What a refusal means; codes that nobody listed are judged by their HTTP status. */
export function meaningOf(error: GraphError): Meaning {
  if (error.fromNetwork && error.code === 100 && error.subcode === 33) return unknownObject;
  const listed = error.fromNetwork ? (blamedParameter(error) ?? meanings[error.code]) : undefined;
  if (listed) return listed;
  if (error.fromNetwork && error.code >= 200 && error.code <= 299) return meanings[10]!;
  if (error.status === 401) return meanings[190]!;
  if (error.status === 403) return meanings[10]!;
  if (error.status === 429 || error.status >= 500) {
    return { blame: 'network', words: 'The network is busy.', retryAfterSeconds: 5 };
  }
  return { blame: 'request', words: error.title };
}

/**
 * A refusal in one sentence without its full stop: what it means, what the network said of it, and
 * its code.
 */
export function refusalWords(error: GraphError): string {
  const { words } = meaningOf(error);
  const title = error.title.replace(/^\(#\d+\)\s*/, '');
  const known = words === error.title ? title : words.replace(/\.$/, '');
  const said = error.details ?? (error.fromNetwork && known !== title ? title : undefined);
  return withCode(said ? `${known}: ${said}` : known, error.code);
}

/** Whether words of `refusalWords` say that the access token was refused, as it then is by every call. */
export function isOfToken(words: string): boolean {
  return words.startsWith(tokenRefused.replace(/\.$/, ''));
}

/** What the network said without its full stop, and its code. */
export function withCode(said: string, code: number | null): string {
  const sentence = said.replace(/\.$/, '');
  return code === null ? sentence : `${sentence} (network code ${code})`;
}

/** Reads the body `{error: {code, error_subcode, message, error_data: {details}}}`. */
export function readGraphError(
  status: number,
  body: Record<string, unknown> | undefined,
): GraphError {
  const error = body?.error as
    | {
        code?: unknown;
        error_subcode?: unknown;
        message?: unknown;
        error_data?: { details?: unknown };
      }
    | undefined;
  const code = errorCode(error?.code);
  const details = error?.error_data?.details;
  return {
    code: code ?? status,
    subcode: typeof error?.error_subcode === 'number' ? error.error_subcode : undefined,
    title: typeof error?.message === 'string' ? error.message : `HTTP ${status}`,
    details: typeof details === 'string' ? details : undefined,
    fromNetwork: code !== undefined,
    status,
  };
}
