import { newTraceId } from '../ids.ts';
import type { StatusError } from '../types.ts';

type GraphErrorKind = {
  /** HTTP status of the response. */
  http: number;
  text: string;
  /** Default for `error_data.details`. */
  details?: string;
  /** Whether a later `failed` status reports it instead of the response to the POST: at once, or after `sent`. */
  late?: 'at_once' | 'after_sent';
};

const oneMinute = 'Please try again in a minute.';

/** The network's error codes, from its documentation and from captured responses. */
const kinds: Record<number, GraphErrorKind> = {
  0: { http: 401, text: 'We were unable to authenticate the app user.' },
  1: { http: 400, text: 'An unknown error occurred' },
  2: { http: 503, text: 'Service temporarily unavailable' },
  3: { http: 500, text: 'Capability or permissions issue.' },
  4: { http: 400, text: 'Application request limit reached' },
  10: { http: 403, text: 'Application does not have permission for this action' },
  33: { http: 400, text: 'Parameter value is not valid' },
  100: { http: 400, text: 'Invalid parameter' },
  190: { http: 401, text: 'Invalid OAuth access token - Cannot parse access token' },
  200: { http: 403, text: 'You do not have the necessary permissions' },
  368: { http: 403, text: 'Temporarily blocked for policies violations' },
  2200: { http: 400, text: 'Callback verification failed' },
  2500: { http: 400, text: 'Unknown path components' },
  80007: { http: 400, text: 'Rate limit issues', details: oneMinute },
  130403: { http: 400, text: 'User is blocked by the business' },
  130429: {
    http: 429,
    text: 'Rate limit hit',
    details:
      'Message failed to send because there were too many messages sent from this phone number in a short period of time.',
  },
  130472: {
    http: 400,
    text: "User's number is part of an experiment",
    details: "Failed to send message because this user's phone number is part of an experiment",
    late: 'after_sent',
  },
  130497: {
    http: 403,
    text: 'Business account is restricted from messaging users in this country.',
    details:
      'Message failed to send because this business account is restricted from messaging users in this country.',
  },
  131000: { http: 500, text: 'Something went wrong', details: 'Something went wrong.' },
  131008: { http: 400, text: 'Required parameter is missing' },
  131009: { http: 400, text: 'Parameter value is not valid' },
  131016: { http: 503, text: 'Service unavailable', details: 'A service is temporarily down.' },
  131021: {
    http: 400,
    text: 'Recipient cannot be sender',
    details: 'Sender and recipient phone number is the same.',
  },
  131026: {
    http: 400,
    text: 'Message undeliverable',
    details: 'Message Undeliverable.',
    late: 'after_sent',
  },
  131030: {
    http: 400,
    text: 'Recipient phone number not in allowed list',
    details: 'Recipient phone number not in allowed list.',
  },
  131031: { http: 403, text: 'Account has been locked', details: 'Account has been locked.' },
  131037: {
    http: 400,
    text: 'WhatsApp provided number needs display name approval before message can be sent.',
  },
  131042: {
    http: 400,
    text: 'Business eligibility payment issue',
    details:
      'Message failed to send because there were one or more errors related to your payment method.',
    late: 'after_sent',
  },
  131045: {
    http: 500,
    text: 'Incorrect certificate',
    details: 'Message failed to send due to a phone number registration error.',
  },
  131047: {
    http: 400,
    text: 'Re-engagement message',
    details:
      'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
    late: 'at_once',
  },
  131048: {
    http: 400,
    text: 'Spam rate limit hit',
    details: 'Message failed to send because there are restrictions on this phone number.',
    late: 'at_once',
  },
  131049: {
    http: 400,
    text: 'This message was not delivered to maintain healthy ecosystem engagement.',
    details:
      'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
    late: 'after_sent',
  },
  131050: {
    http: 400,
    text: 'Unable to deliver the message. This recipient has chosen to stop receiving marketing messages on WhatsApp from your business',
    late: 'at_once',
  },
  131051: { http: 400, text: 'Unsupported message type' },
  131053: {
    http: 400,
    text: 'Media upload error',
    details: 'Downloading media from weblink failed with http code 404, status message Not Found',
    late: 'at_once',
  },
  131055: { http: 400, text: 'Method not allowed' },
  131056: { http: 400, text: '(Business Account, Consumer Account) pair rate limit hit' },
  131057: { http: 500, text: 'Account in maintenance mode', details: oneMinute },
  131062: {
    http: 400,
    text: 'Business-scoped User ID (BSUID) recipients are not supported for this message.',
  },
  131063: {
    http: 400,
    text: 'Marketing messages are disabled on Cloud API for this account',
    details: 'Send marketing templates with the Marketing Messages API.',
  },
  131064: {
    http: 400,
    text: 'Message was not sent because of template categories of the account',
  },
  132000: { http: 400, text: 'Number of parameters does not match the expected number of params' },
  132001: { http: 404, text: 'Template name does not exist in the translation' },
  132005: { http: 400, text: 'Translated text too long' },
  132007: { http: 400, text: 'Template format character policy violated' },
  132012: { http: 400, text: 'Parameter format does not match format in the created template' },
  132015: {
    http: 400,
    text: 'Template is paused',
    details: 'Template is paused due to low quality.',
  },
  132016: { http: 400, text: 'Template is disabled', details: 'Template is disabled.' },
  132018: { http: 400, text: "There's an issue with the parameters in your template" },
  133004: { http: 503, text: 'Server temporarily unavailable', details: oneMinute },
  133005: { http: 400, text: 'Two step verification PIN mismatch' },
  133010: {
    http: 400,
    text: 'Phone number not registered',
    details: 'The account is not registered',
  },
  134100: {
    http: 400,
    text: 'Only marketing messages supported',
    details: 'Only templates of the category MARKETING can be sent with this API.',
  },
  134101: {
    http: 400,
    text: 'Template is syncing',
    details: 'The template was created or changed in the last 10 minutes.',
  },
  134102: {
    http: 500,
    text: 'Template unavailable for use',
    details: 'The account is not eligible for the Marketing Messages API.',
  },
};

const unknownKind: GraphErrorKind = { http: 400, text: 'An unknown error occurred' };

/** An error response in the network's format. */
export class GraphError extends Error {
  readonly code: number;
  readonly http: number;
  readonly body: object;

  private constructor(code: number, http: number, error: object) {
    super(`network error ${code}`);
    this.code = code;
    this.http = http;
    this.body = { error };
  }

  /** Creates a common error: `(#code) text` and optional `details`. */
  static of(code: number, details?: string): GraphError {
    const kind = kinds[code] ?? unknownKind;
    const detailText = details ?? kind.details;
    return new GraphError(code, kind.http, {
      message: code === 190 ? kind.text : `(#${code}) ${kind.text}`,
      type: 'OAuthException',
      code,
      ...(detailText && { error_data: { messaging_product: 'whatsapp', details: detailText } }),
      fbtrace_id: newTraceId(),
    });
  }

  /** Creates code 100 as the network's outer layer does: the sentence is in `message`, without details. */
  static parameter(sentence: string): GraphError {
    return new GraphError(100, 400, {
      message: `(#100) ${sentence}`,
      type: 'OAuthException',
      code: 100,
      fbtrace_id: newTraceId(),
    });
  }

  /** Creates code 100, subcode 33: the object does not exist, or the token has no access to it. */
  static unknownObject(method: string, id: string): GraphError {
    return new GraphError(100, 400, {
      message: `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation at https://developers.facebook.com/docs/graph-api`,
      type: 'GraphMethodException',
      code: 100,
      error_subcode: 33,
      fbtrace_id: newTraceId(),
    });
  }

  /** Creates code 190, subcode 463: the access token worked until this time. */
  static expired(at: Date): GraphError {
    return new GraphError(190, 401, {
      message: `Error validating access token: Session has expired on ${at.toUTCString()}.`,
      type: 'OAuthException',
      code: 190,
      error_subcode: 463,
      fbtrace_id: newTraceId(),
    });
  }

  /**
   * Creates an HTTP failure that does not depend on the message: 401, 403, 429, or a server error.
   *
   * @param code by default the usual one of this status
   */
  static ofStatus(http: number, code = usualCodes[http] ?? 131000): GraphError {
    const { body } = GraphError.of(code);
    return new GraphError(code, http, (body as { error: object }).error);
  }
}

const usualCodes: Record<number, number> = { 401: 190, 403: 10, 429: 80007, 503: 131016 };

/** Whether the network reports this code by a later `failed` status. */
export function isReportedLater(code: number): boolean {
  return kinds[code]?.late !== undefined;
}

/** Whether the network reports a message that fails with this code as sent before. */
export function failsAfterSent(code: number): boolean {
  return kinds[code]?.late === 'after_sent';
}

/** Builds the error inside a `failed` status. */
export function statusError(code: number, details?: string): StatusError {
  const kind = kinds[code] ?? unknownKind;
  return {
    code,
    title: kind.text,
    message: kind.text,
    error_data: { details: details ?? kind.details ?? kind.text },
    href: 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/',
  };
}
