import { brotliCompress, constants, gzip } from 'node:zlib';
import { Negotiator } from '@fastify/accept-negotiator';
import type { FastifyRequest, onSendHookHandler } from 'fastify';

/** Shorter responses fit into three packets, and compressing them would cost more than it saves. */
const minLength = 4_096;

type Done = (error: Error | null, compressed: Buffer) => void;

/** The best compression first. Brotli's default quality is 11, which takes 50 times as long as 4. */
export const codings = {
  br: (content: string | Buffer, done: Done) =>
    brotliCompress(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done),
  gzip: (content: string | Buffer, done: Done) => gzip(content, done),
};

const negotiator = new Negotiator<keyof typeof codings>({ supportedValues: ['br', 'gzip'] });

/** Finds the best coding that the client accepts; null if it accepts none. */
export function acceptedCoding({ headers }: FastifyRequest): keyof typeof codings | null {
  return negotiator.negotiate(headers['accept-encoding'] ?? '');
}

/**
 * Compresses a long JSON response, if the client accepts it. For lists of the API only: a response with a secret
 * and with text that somebody else can choose would reveal the secret by its length (BREACH). One-time passwords
 * are in responses to a POST, and no browser attaches an API token to a request automatically.
 */
export const compressLong: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  const isLong = typeof payload === 'string' && payload.length >= minLength;
  if (!isLong || request.method !== 'GET') {
    done(null, payload);
    return;
  }
  reply.header('vary', 'accept-encoding');
  const coding = acceptedCoding(request);
  if (coding === null) {
    done(null, payload);
    return;
  }
  codings[coding](payload, (error, compressed) => {
    if (error) {
      done(error);
      return;
    }
    reply.header('content-encoding', coding);
    done(null, compressed);
  });
};
