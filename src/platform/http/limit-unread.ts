import type { FastifyRequest, onSendHookHandler } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { fault } from '../errors/fault.ts';
import { createByteBudget } from './bodies/byte-budget.ts';

/** Shorter responses are not counted. They cost little more than their connections, whose number is limited. */
const shortBytes = 16 * 1024;

/**
 * Creates a hook that limits the responses to reads that are held in memory until their clients have read them. A
 * response over a limit is replaced by an error that asks to try again. Files are not counted, because they are read
 * in pieces. It is not for writes, which have taken effect.
 *
 * @param ownerOf whose responses are counted together
 */
export function limitUnread(
  ownerOf: (request: FastifyRequest) => string,
): onSendHookHandler<unknown> {
  const budget = createByteBudget();

  return (request, reply, payload, done) => {
    const bytes = bytesOf(payload);
    // After the client has disconnected, `close` is not emitted again.
    if (bytes <= shortBytes || reply.raw.destroyed) {
      done(null, payload);
      return;
    }
    const owner = ownerOf(request);
    const exceeded = budget.exceeded(owner, bytes);
    if (exceeded) {
      done(exceeded === 'of owner' ? tooManyOfOwner() : tooMany());
      return;
    }
    budget.add(owner, bytes);
    reply.raw.once('close', () => budget.add(owner, -bytes));
    done(null, payload);
  };
}

function bytesOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return Buffer.isBuffer(payload) ? payload.length : 0;
}

function tooMany(): ApiError {
  return new ApiError('server_error', {
    message: fault(
      'too_many_unread',
      'Too many long responses are on their way at the moment. Try again in a moment.',
    ),
    retryAfterSeconds: 5,
    passing: true,
  });
}

function tooManyOfOwner(): ApiError {
  return new ApiError('rate_limited', {
    message: fault(
      'too_many_unread_of_owner',
      'Too many long responses to your earlier requests have not been read yet. Read them, or close their connections.',
    ),
    retryAfterSeconds: 5,
  });
}
