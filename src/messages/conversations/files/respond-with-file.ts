import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../../platform/errors/api-error.ts';
import { readRange } from '../../../platform/http/byte-range.ts';
import type { ReadableMedia } from './open-media.ts';

/** A browser asks before it shows a file again: the session may have ended, and the message may be deleted. */
export const fileCacheControl = 'private, no-cache';

/**
 * Responds with a file, or with the requested range of it. Players request ranges of video and audio to seek, and
 * some play nothing else. It is never asked of a file server, because not every one supports ranges.
 *
 * @param requested the headers of the request
 * @throws ApiError 416 if the range begins after the end of the file; what reading the file throws
 */
export async function respondWithFile(
  reply: FastifyReply,
  requested: IncomingHttpHeaders,
  media: ReadableMedia,
  { type, isInline }: { type: string; isInline: boolean },
): Promise<FastifyReply> {
  const { bytes: length, filename } = media;
  // `If-Range` names a version of the file, for which our validators are too weak.
  const range =
    length === undefined || requested['if-range'] !== undefined
      ? undefined
      : readRange(requested.range, length);
  if (range === 'unsatisfiable') {
    media.close();
    throw outsideFile(length!);
  }
  const body = await media.read(range);
  // The client disconnected while the file was opened.
  if (reply.raw.destroyed) {
    body.destroy();
    return reply.hijack();
  }
  reply.headers({
    'content-type': type,
    'content-disposition': `${isInline ? 'inline' : 'attachment'}; ${nameOf(filename ?? 'file')}`,
    // The file comes from strangers and must not act as a page of ours.
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': fileCacheControl,
  });
  if (length === undefined) return reply.send(body);
  reply.header('accept-ranges', 'bytes');
  if (range === undefined) return reply.header('content-length', length).send(body);
  const { first, last } = range;
  return reply
    .code(206)
    .headers({
      'content-range': `bytes ${first}-${last}/${length}`,
      'content-length': last - first + 1,
    })
    .send(body);
}

/** The name as RFC 6266 wants it: in ASCII for clients that know no more, such as curl, and whole for others. */
function nameOf(filename: string): string {
  const ascii = filename.replace(/[^ -~]|["\\/%]/gu, '_');
  return `filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(filename.toWellFormed())}`;
}

function outsideFile(length: number): ApiError {
  return new ApiError('range_not_satisfiable', {
    headers: { 'accept-ranges': 'bytes', 'content-range': `bytes */${length}` },
  });
}
