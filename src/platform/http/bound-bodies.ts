import type { onRequestHookHandler } from 'fastify';
import { ApiError } from '../../errors.ts';

/** Bodies up to this length are never refused: they cost little more than their connection. */
const smallBytes = 64 * 1024;

/**
 * Bounds the memory of long bodies that are under way together, from the moment they are announced
 * until their answer is out. For routes whose callers show who they are only by the body itself, so
 * that anybody can begin to send one.
 *
 * @param longest of one body, in bytes; one of unknown length counts as that
 * @param together of all that are under way in this process; what does not fit is refused at once
 */
export function boundBodies({
  longest,
  together,
}: {
  longest: number;
  together: number;
}): onRequestHookHandler {
  let underWay = 0;
  return (request, reply, done) => {
    const { 'content-length': length = 0, 'transfer-encoding': unknown } = request.headers;
    const bytes = unknown === undefined ? Number(length) : longest;
    // One that is too long is refused before any of it is read.
    if (bytes <= smallBytes || bytes > longest) return done();
    if (underWay + bytes > together) return done(tooMany());
    underWay += bytes;
    reply.raw.once('close', () => {
      underWay -= bytes;
    });
    done();
  };
}

function tooMany(): ApiError {
  return new ApiError('server_error', {
    message: 'Too many long bodies are being received. Send it again in a few seconds.',
    retryAfterSeconds: 5,
    passing: true,
  });
}
