import { promisify } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedCoding, codings } from '../platform/http/compress-long.ts';
import { sha256 } from '../platform/secrets/crypto.ts';

type Coding = keyof typeof codings;

/**
 * Creates the function that responds with a public content, which never changes. It is compressed once for each coding
 * that clients accept, and a client that has it already gets 304.
 *
 * @param read called for the first request
 */
export function createPublicContent(read: () => string | Buffer) {
  let content: string | Buffer | undefined;
  let etag = '';
  const compressed = new Map<Coding, Promise<Buffer>>();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (content === undefined) {
      content = read();
      etag = etagOf(content);
    }
    reply.header('vary', 'accept-encoding');
    if (isKnown(request, reply, etag)) return reply.code(304).send();
    const coding = acceptedCoding(request);
    if (coding === null) return reply.send(content);
    const packed = compressed.get(coding) ?? promisify(codings[coding])(content);
    compressed.set(coding, packed);
    return reply.header('content-encoding', coding).send(await packed);
  };
}

/** Builds the validator of a content. It is weak, because it is the same for every coding. */
export function etagOf(content: string | Buffer): string {
  return `W/"${sha256(content).toString('base64url')}"`;
}

/** Adds the validator to a response. Returns whether the client has this content already. */
export function isKnown(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  const known = request.headers['if-none-match'] ?? '';
  return known.split(',').some((each) => each.trim() === etag);
}
