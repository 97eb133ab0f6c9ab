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
      // Weak, because it is the same for every coding.
      etag = `W/"${sha256(content).toString('base64url')}"`;
    }
    reply.headers({ vary: 'accept-encoding', etag });
    const known = request.headers['if-none-match'] ?? '';
    if (known.split(',').some((each) => each.trim() === etag)) return reply.code(304).send();
    const coding = acceptedCoding(request);
    if (coding === null) return reply.send(content);
    const packed = compressed.get(coding) ?? promisify(codings[coding])(content);
    compressed.set(coding, packed);
    return reply.header('content-encoding', coding).send(await packed);
  };
}
