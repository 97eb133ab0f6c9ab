import { ApiError, invalid } from '../../errors.ts';
import type { OutgoingContent, SendOutcome } from '../../whatsapp/client.ts';
import { type GraphError, meaningOf, refusalWords } from '../../whatsapp/errors.ts';
import type { Completion } from './send-queries.ts';

type Kind = OutgoingContent['type'];

/** What is written down of how a send ended. */
export function completionOf(sent: SendOutcome): Omit<Completion, 'tenantId' | 'id'> {
  switch (sent.outcome) {
    case 'accepted':
      return { status: 'sent', networkId: sent.networkId, error: null, refunded: false };
    case 'refused': {
      const { code, title, details } = sent.error;
      const error = { code, title, details: details ?? null };
      return { status: 'failed', networkId: null, error, refunded: true };
    }
    case 'unreachable': {
      const error = { code: null, title: 'The network could not be reached', details: null };
      return { status: 'failed', networkId: null, error, refunded: true };
    }
    case 'unknown':
      return { status: 'unknown', networkId: null, error: null, refunded: false };
  }
}

/** What a caller of the API is answered when the network did not accept the message. */
export function errorOf(sent: Exclude<SendOutcome, { outcome: 'accepted' }>, kind: Kind): ApiError {
  switch (sent.outcome) {
    case 'refused':
      return refusedByNetwork(sent.error, kind);
    case 'unreachable':
      return new ApiError('server_error', {
        message: 'The network cannot be reached; nothing was sent. Try again in a moment.',
        retryAfterSeconds: 5,
        cause: sent.cause,
      });
    case 'unknown':
      return maybeSent(sent.cause);
  }
}

/** 500 of which nobody knows whether the message went out, so that it must not blindly go again. */
export function maybeSent(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message:
      'It is not known how the send ended, so the message may have been sent. Look before you send it again.',
    retryAfterSeconds: 60,
    cause,
  });
}

/** 422 on the field that the network names, else 422, 429 or 500. */
function refusedByNetwork(error: GraphError, kind: Kind): ApiError {
  const { blame, retryAfterSeconds } = meaningOf(error);
  const words = refusalWords(error);
  if (typeof blame === 'object') return invalid({ [fieldOf(blame, kind)]: [words] }, error);
  if (blame === 'rate') {
    return new ApiError('rate_limited', { message: `${words}.`, retryAfterSeconds, cause: error });
  }
  if (blame === 'request') return new ApiError('invalid', { message: `${words}.`, cause: error });
  return new ApiError('server_error', {
    message: `${words}. ${blame === 'number' ? "See the number's settings." : 'Nothing was sent.'}`,
    retryAfterSeconds: retryAfterSeconds ?? 60,
    cause: error,
  });
}

/** The field that the network blames, by its name in a request for that kind of message. */
export function fieldOf({ field }: { field: string }, kind: Kind): string {
  return field === 'media_url' && kind === 'template' ? 'header_media_url' : field;
}
