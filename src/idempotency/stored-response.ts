import type { FastifyRequest } from 'fastify';
import { ApiError, kinds } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { asApiError } from '../platform/errors/send-error.ts';
import { recipientOf } from '../platform/values/phones/recipient.ts';
import type { StoredError } from './claim-queries.ts';
import type { AttemptEnd } from './queries.ts';

/** A send whose message the network accepted. */
export type Sent = { outcome: 'sent'; id: number; messageId: string; phone: string };

/**
 * A refusal of the message itself is final; after a problem of the network it can be sent again.
 */
export function endOfRefused({ kind }: StoredError): AttemptEnd {
  return kind === 'invalid' ? 'final' : 'refused';
}

export function storedError(error: unknown, request: FastifyRequest): StoredError {
  const known = asApiError(error, request) ?? new ApiError('server_error');
  const { kind, message, errors, headers, publicCode, data, fault, faults } = known;
  return { kind, message, errors, headers, publicCode, data, fault, faults };
}

/** Restores an error. Earlier versions stored only its texts, and no codes for the dashboard. */
export function storedAsError(stored: StoredError): ApiError {
  const { kind, message, errors, headers, publicCode, data } = stored;
  const asFault = (text: string) => ({ code: kinds[kind].message.code, text });
  const faults = Object.entries(errors).map(([field, texts]) => [field, texts.map(asFault)]);
  return new ApiError(kind, {
    message: stored.faults ? stored.fault : asFault(message),
    errors: stored.faults ?? Object.fromEntries(faults),
    headers,
    publicCode,
    data,
  });
}

const otpNotStored =
  'The one-time password is not stored. To verify the person, send another one with a new Idempotency-Key.';

type SendRequestBody = { auto_generate_otp?: boolean | null; reference?: string | null };
type SendBody = { message: string; data: { otp?: string } };

/** Removes the one-time password, which is never stored, and adds a note to the message. */
export function withoutOtp(body: unknown): unknown {
  const { message, data } = body as SendBody;
  if (data.otp === undefined) return body;
  const { otp: _, ...rest } = data;
  return { ...(body as SendBody), message: `${message} ${otpNotStored}`, data: rest };
}

export function bodyOfEarlier(request: FastifyRequest, { id, messageId, phone }: Sent) {
  const { auto_generate_otp, reference } = request.body as SendRequestBody;
  const hadOtp = auto_generate_otp === true;
  const accepted = 'The network accepted the message.';
  return {
    success: true,
    message: hadOtp ? `${accepted} ${otpNotStored}` : accepted,
    data: {
      message_id: messageId,
      phone_number: recipientOf(phone),
      status: 'sent',
      id,
      ...(reference && { reference }),
    },
  };
}

/** Has no `data`, because there is nothing left to look up. */
export function messageGone(): ApiError {
  return new ApiError('server_error', {
    message: fault(
      'outcome_unknown_deleted',
      'The message was deleted with its contact, and may have been sent before. This Idempotency-Key never sends it again; to send it again, use a new key.',
    ),
    publicCode: 'outcome_unknown',
  });
}
