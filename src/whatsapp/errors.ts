import { type Fault, fault } from '../platform/errors/fault.ts';
import { errorCode } from './json.ts';

/** A refusal by the network, read from the Graph API's error body. */
export type GraphError = {
  code: number;
  subcode: number | undefined;
  /** The network's own error message. */
  title: string;
  details: string | undefined;
  /** False if the body was not a Graph error, so that only the HTTP status is known. */
  fromNetwork: boolean;
  status: number;
};

/**
 * The party at fault for a refusal, which decides the response to the sender.
 * - field: a field of the request (422)
 * - 'request': the request, but no single field (422)
 * - 'number': the number, its token or its account cannot send (500; the tenant must act)
 * - 'network': the network is busy or down (500 with Retry-After)
 * - 'rate': too many messages in a short time (429 with Retry-After)
 */
type AtFault = { field: FaultyField } | 'request' | 'number' | 'network' | 'rate';

export type FaultyField =
  | 'phone_number'
  | 'template_name'
  | 'media_url'
  | 'message'
  | 'caption'
  | 'filename';

type Meaning = { atFault: AtFault; message: string; retryAfterSeconds?: number };

const phone = { field: 'phone_number' } as const;
const template = { field: 'template_name' } as const;
const media = { field: 'media_url' } as const;

const tokenRefused = 'The network refused the access token of this number.';

/** Codes of the Cloud API, read November 2026 from Meta's error reference and captures of it. */
const meanings: Record<number, Meaning> = {
  0: { atFault: 'number', message: tokenRefused },
  2: {
    atFault: 'network',
    message: 'The network is temporarily unavailable.',
    retryAfterSeconds: 5,
  },
  3: {
    atFault: 'number',
    message: 'The app of the access token lacks a capability or permission.',
  },
  4: {
    atFault: 'network',
    message: 'The app made too many calls to the network.',
    retryAfterSeconds: 300,
  },
  10: { atFault: 'number', message: 'The access token of this number lacks a permission.' },
  33: { atFault: 'number', message: 'The number was deleted at the network.' },
  100: { atFault: 'request', message: 'The network does not accept a parameter.' },
  190: { atFault: 'number', message: tokenRefused },
  368: { atFault: 'number', message: 'The business account is blocked for policy violations.' },
  2200: { atFault: 'request', message: 'The network could not verify the callback URL.' },
  80007: {
    atFault: 'network',
    message: 'The account made too many calls to the network.',
    retryAfterSeconds: 300,
  },
  130403: { atFault: phone, message: 'is blocked by this number' },
  130429: {
    atFault: 'rate',
    message: 'This number sends more messages per second than the network allows.',
    retryAfterSeconds: 2,
  },
  130472: {
    atFault: phone,
    message: 'is part of an experiment of the network, and gets no marketing messages for now',
  },
  130497: { atFault: phone, message: 'is in a country to which this account may not send' },
  131000: {
    atFault: 'network',
    message: 'The network failed for an unknown reason.',
    retryAfterSeconds: 5,
  },
  131008: { atFault: 'request', message: 'A required parameter is missing.' },
  131009: { atFault: 'request', message: 'A parameter has a value that is not valid.' },
  131016: {
    atFault: 'network',
    message: 'The network is temporarily unavailable.',
    retryAfterSeconds: 5,
  },
  131021: { atFault: phone, message: 'is the sender itself' },
  131026: { atFault: phone, message: 'cannot receive this message; it may not be on WhatsApp' },
  131030: {
    atFault: phone,
    message: 'is not on the list of allowed recipients of this test number',
  },
  131031: { atFault: 'number', message: 'The business account is locked.' },
  131037: { atFault: 'number', message: 'The display name of the number is not approved.' },
  131042: {
    atFault: 'number',
    message: 'The business account has no payment method, or an unpaid bill.',
  },
  131045: { atFault: 'number', message: 'The registration of the number is faulty.' },
  131047: {
    atFault: phone,
    message: 'wrote more than 24 hours ago, so only a template may be sent',
  },
  131048: {
    atFault: 'number',
    message: 'The number may not send for now: too many messages were marked as spam.',
  },
  131049: {
    atFault: phone,
    message: 'has reached the network’s limit of marketing messages for now',
  },
  131050: { atFault: phone, message: 'has opted out of marketing messages' },
  131051: { atFault: 'request', message: 'The network does not support this type of message.' },
  131053: {
    atFault: media,
    message: 'could not be fetched by the network, or has a type that the network does not accept',
  },
  131056: {
    atFault: 'rate',
    message: 'This phone got too many messages from the number in a short time.',
    retryAfterSeconds: 6,
  },
  131055: { atFault: template, message: 'is not a marketing template at the network any more' },
  131057: { atFault: 'network', message: 'The account is in maintenance.', retryAfterSeconds: 60 },
  131063: {
    atFault: template,
    message:
      'may only be sent through the marketing endpoint, which is switched off for this number',
  },
  131064: {
    atFault: template,
    message: 'cannot be sent for now, because templates of this account are in a wrong category',
  },
  132000: {
    atFault: 'request',
    message: 'The number of values does not match the placeholders of the template.',
  },
  132001: { atFault: template, message: 'does not exist in this language, or is not approved' },
  132005: { atFault: 'request', message: 'The template becomes too long with these values.' },
  132007: { atFault: template, message: 'breaks a policy of the network' },
  132012: {
    atFault: 'request',
    message: 'A value does not have the format that the template asks for.',
  },
  132015: { atFault: template, message: 'is paused because of low quality' },
  132016: { atFault: template, message: 'is disabled because of low quality' },
  132018: { atFault: 'request', message: 'The network does not accept a value of the template.' },
  133004: {
    atFault: 'network',
    message: 'The network is temporarily unavailable.',
    retryAfterSeconds: 5,
  },
  133005: { atFault: 'number', message: 'The PIN is not that of the number.' },
  133006: { atFault: 'number', message: 'The number is not verified yet.' },
  133008: {
    atFault: 'number',
    message: 'Too many wrong PINs were given. Wait until Meta allows more.',
  },
  133009: { atFault: 'number', message: 'The PIN was given again too soon. Wait a few minutes.' },
  133010: { atFault: 'number', message: 'The number is not registered with the network.' },
  133015: { atFault: 'number', message: 'The number was deleted a moment ago. Wait 5 minutes.' },
  133016: {
    atFault: 'number',
    message: 'The number was registered too often. Meta allows it again after 72 hours.',
  },
  134100: { atFault: template, message: 'is not a marketing template at the network any more' },
  134101: {
    atFault: 'network',
    message: 'The marketing endpoint does not know this template yet.',
    retryAfterSeconds: 600,
  },
  134102: {
    atFault: template,
    message:
      'cannot be sent through the marketing endpoint, for which this account is not eligible',
  },
};

/** The network ends a pause of a template automatically, the first one after three hours. */
const pausedTemplate = 132015;

/**
 * Whether the same message may succeed later without a change: the network was busy, a rate was exceeded, or the
 * template is paused.
 */
export function isTransient(code: number, atFault: AtFault): boolean {
  return atFault === 'network' || atFault === 'rate' || code === pausedTemplate;
}

/** Whether the object in the path does not exist, or the access token may not use it: code 100 with subcode 33. */
export function isUnknownObject({ fromNetwork, code, subcode }: GraphError): boolean {
  return fromNetwork && code === 100 && subcode === 33;
}

/** For sends, where the object is the number or its account: the request is not at fault. */
const unknownObject: Meaning = {
  atFault: 'number',
  message: 'The network does not let the access token use this number or its account.',
};

/** The codes that have an explanation of their own. */
export const knownCodes = Object.keys(meanings).map(Number);

const parameters = {
  body: 'message',
  caption: 'caption',
  filename: 'filename',
  link: 'media_url',
} as const;

/** Finds the field in an error with code 100 like `Param text['body'] must be ...`. */
function faultyParameter({ code, title }: GraphError): Meaning | undefined {
  if (code !== 100) return;
  const [, name] = /^\(#100\) Param \w+\['(body|caption|filename|link)'\]/.exec(title) ?? [];
  const field = parameters[name as keyof typeof parameters];
  return field && { atFault: { field }, message: 'is not accepted by the network' };
}

const busy: Meaning = {
  atFault: 'network',
  message: 'The network is busy.',
  retryAfterSeconds: 5,
};

/** Finds the meaning of a refusal, by the HTTP status if its code is not listed. */
export function meaningOf(error: GraphError): Meaning {
  if (isUnknownObject(error)) return unknownObject;
  const listed = error.fromNetwork ? (faultyParameter(error) ?? meanings[error.code]) : undefined;
  if (listed) return listed;
  if (error.fromNetwork && error.code >= 200 && error.code <= 299) return meanings[10]!;
  if (isAboutAccess(error) && error.status === 401) return meanings[190]!;
  if (isAboutAccess(error) && error.status === 403) return meanings[10]!;
  if (error.status === 429 || error.status >= 500) return busy;
  return { atFault: 'request', message: error.title };
}

/**
 * Whether 401 and 403 mean the access token. The codes of WhatsApp itself have six digits; some of them are responses
 * with 403 about a message.
 */
function isAboutAccess({ fromNetwork, code }: GraphError): boolean {
  return !fromNetwork || code < 1_000;
}

/**
 * Describes a refusal in one sentence without its full stop: our message, the network's own and its
 * code.
 */
export function refusalMessage(error: GraphError): string {
  const { message } = meaningOf(error);
  const title = error.title.replace(/^\(#\d+\)\s*/, '');
  const ours = message === error.title ? title : message.replace(/\.$/, '');
  const theirs = error.details ?? (error.fromNetwork && ours !== title ? title : undefined);
  return withCode(theirs ? `${ours}: ${theirs}` : ours, error.code);
}

/**
 * A refusal as a fault. The dashboard has its own wording for each meaning, which says to its people what to do.
 *
 * @param text for clients of the API, such as one made of `refusalMessage`
 */
export function refusalFault(error: GraphError, text: string): Fault {
  const words = error.details ?? error.title.replace(/^\(#\d+\)\s*/, '');
  const problem = fault('network_problem', '', {
    network: keyOf(meaningOf(error)),
    code: String(error.code),
    words,
  });
  // The text has the network's own words, so no values are filled in.
  return { ...problem, text };
}

/** The key of a meaning in the dashboard's wording: the first code that has it, or what stands for those without. */
function keyOf({ atFault, message }: Meaning): string {
  if (message === unknownObject.message) return 'unknown_object';
  if (message === busy.message) return 'busy';
  const code = Object.keys(meanings).find((each) => meanings[Number(each)]!.message === message);
  if (code !== undefined) return code;
  return typeof atFault === 'object' ? `100_${atFault.field}` : 'other';
}

/** The refusal as a sentence of its own. */
export function refusalSentence(error: GraphError): Fault {
  return refusalFault(error, `${refusalMessage(error)}.`);
}

/**
 * Whether a `refusalMessage` means that the access token was refused, which then fails every call.
 */
export function isTokenRefusal(message: string): boolean {
  return message.startsWith(tokenRefused.replace(/\.$/, ''));
}

/** The network's own words about a number, with its code. */
export function reportedProblem(words: string, code: number | null): Fault {
  const problem =
    code === null
      ? fault('network_says', '', { words })
      : fault('network_says_with_code', '', { words, network: String(code) });
  return { ...problem, text: `${withCode(words, code)}.` };
}

/** Replaces the full stop of a message by the network's code. */
function withCode(message: string, code: number | null): string {
  const sentence = message.replace(/\.$/, '');
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

/** The error of a message that failed after the network had accepted it, in the form of a refusal. */
export function lateRefusal({
  code,
  title,
  details,
}: {
  code: number;
  title: string;
  details: string | null;
}): GraphError {
  const unknown = { subcode: undefined, fromNetwork: true, status: 400 };
  return { code, title, details: details ?? undefined, ...unknown };
}

/** The refusal of a send that our own rate limiter would delay for too long. */
export const overRateLimit: GraphError = {
  code: 130429,
  subcode: undefined,
  title: "This number has reached WhatsApp's rate limit",
  details: undefined,
  fromNetwork: true,
  status: 429,
};
