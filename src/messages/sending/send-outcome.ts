import { ApiError } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { SendOutcome } from '../../whatsapp/client.ts';
import {
  type GraphError,
  lateRefusal,
  meaningOf,
  refusalFault,
  refusalMessage,
} from '../../whatsapp/errors.ts';
import { notReached } from '../failure-message.ts';
import type { MessageRow } from '../queries.ts';

/** How a send ended. */
export type Completion = {
  tenantId: number;
  id: number;
  status: 'sent' | 'failed' | 'unknown';
  networkId: string | null;
  error: object | null;
  /** The network refused it, so it is subtracted from the token's day. */
  refunded: boolean;
};

/** The end of a message that did not reach the network. */
export const neverCalled: Omit<Completion, 'tenantId' | 'id'> = {
  status: 'failed',
  networkId: null,
  error: { code: null, title: notReached.text, details: null },
  refunded: true,
};

/** Converts the outcome of a send to the form that is stored. */
export function completionOf(sent: SendOutcome): Omit<Completion, 'tenantId' | 'id'> {
  switch (sent.outcome) {
    case 'accepted':
      return { status: 'sent', networkId: sent.networkId, error: null, refunded: false };
    case 'refused': {
      const { code, title, details = null, status, fromNetwork } = sent.error;
      const error = { code, title, details, status, from_network: fromNetwork };
      return { status: 'failed', networkId: null, error, refunded: true };
    }
    case 'unreachable':
      return neverCalled;
    case 'unknown':
      return { status: 'unknown', networkId: null, error: null, refunded: false };
  }
}

/** The kind of a message, and the field of its file if that is not the usual one of the kind. */
type SentKind = { kind: string; fileField?: string | undefined };

/**
 * Builds the error of a send that the network did not accept.
 *
 * @param id our id of the message
 * @param isKeyed whether the request has an Idempotency-Key
 */
export function errorOf(
  sent: Exclude<SendOutcome, { outcome: 'accepted' }>,
  { kind, fileField, ...message }: SentKind & { id: number; isKeyed: boolean },
): ApiError {
  switch (sent.outcome) {
    case 'refused':
      return refusedByNetwork(sent.error, { kind, fileField });
    case 'unreachable':
      return networkUnreachable(sent.cause);
    case 'unknown':
      return outcomeUnknown({ ...message, cause: sent.cause });
  }
}

export function networkUnreachable(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message: fault(
      'network_unreachable',
      'The network cannot be reached; nothing was sent. Try again in a moment.',
    ),
    publicCode: 'network_unavailable',
    retryAfterSeconds: 5,
    cause,
  });
}

/**
 * 500: the message may have been sent. `Retry-After` only with an Idempotency-Key, because a retry without
 * one would send the message a second time.
 *
 * @param retryAfterSeconds with a key
 */
export function outcomeUnknown({
  id,
  isKeyed,
  retryAfterSeconds = 5,
  cause,
}: {
  id: number;
  isKeyed: boolean;
  retryAfterSeconds?: number;
  cause?: unknown;
}): ApiError {
  const unknown = 'The outcome is unknown: the message may have been sent.';
  const lookUp = `look it up with GET /messages/id:${id}`;
  return new ApiError('server_error', {
    message: fault(
      'outcome_unknown',
      isKeyed
        ? `${unknown} Retry with the same Idempotency-Key, which never sends it twice, or ${lookUp}.`
        : `${unknown} Before you send it again, ${lookUp}.`,
    ),
    ...(isKeyed && { retryAfterSeconds }),
    publicCode: 'outcome_unknown',
    data: { id },
    cause,
  });
}

/** 500 without `Retry-After`: so much time has passed that the network will not report the message any more. */
export function neverReported(id: number, minutes: number): ApiError {
  return new ApiError('server_error', {
    message: fault(
      'never_reported',
      `The network did not report within {minutes} minutes whether it took the message, so it may have been sent. ` +
        `This Idempotency-Key never sends it again. Look it up with GET /messages/id:${id}; to send it again, use a new key.`,
      { minutes },
    ),
    publicCode: 'outcome_unknown',
    data: { id },
  });
}

/** Builds the error of a message whose outcome was unknown until the network reported that it failed. */
export function reportedFailure(
  { code, title, details }: NonNullable<MessageRow['error']>,
  kind: string,
): ApiError {
  const error = lateRefusal({ code: code ?? 0, title, details });
  const { atFault } = meaningOf(error);
  if (code !== null && (typeof atFault === 'object' || atFault === 'request')) {
    return refusedByNetwork(error, { kind });
  }
  const text = code === null ? title.replace(/\.$/, '') : refusalMessage(error);
  const useNewKey = 'The message failed; to send it again, use a new Idempotency-Key.';
  return new ApiError('server_error', {
    message: refusalFault(error, `${text}. ${useNewKey}`),
    publicCode: code === null ? 'network_unavailable' : 'network_refused',
    cause: error,
  });
}

/** 422 on the field that the network names; otherwise 422 without a field, 429 or 500. */
export function refusedByNetwork(error: GraphError, sent: SentKind): ApiError {
  const { atFault, retryAfterSeconds } = meaningOf(error);
  const text = refusalMessage(error);
  if (typeof atFault === 'object') {
    return new ApiError('invalid', {
      errors: { [fieldOf(atFault, sent)]: [refusalFault(error, text)] },
      publicCode: error.code === 131047 ? 'window_closed' : 'network_refused',
      cause: error,
    });
  }
  if (atFault === 'rate') {
    const message = refusalFault(error, `${text}.`);
    return new ApiError('rate_limited', { message, retryAfterSeconds, cause: error });
  }
  if (atFault === 'request') {
    return new ApiError('invalid', {
      message: refusalFault(error, `${text}.`),
      publicCode: 'network_refused',
      cause: error,
    });
  }
  return new ApiError('server_error', {
    message: refusalFault(
      error,
      `${text}. ${atFault === 'number' ? "See the number's settings." : 'Nothing was sent.'}`,
    ),
    publicCode: atFault === 'number' ? 'network_refused' : 'network_unavailable',
    retryAfterSeconds,
    cause: error,
  });
}

/** Returns the request's name for the field that the network refused. */
export function fieldOf({ field }: { field: string }, { kind, fileField }: SentKind): string {
  if (field !== 'media_url') return field;
  return fileField ?? (kind === 'template' ? 'header_media_url' : field);
}
