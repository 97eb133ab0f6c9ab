import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../platform/errors/api-error.ts';
import { partOf, readRange } from '../../platform/http/byte-range.ts';
import type { OpenedMedia } from './open-sent-file.ts';

/**
 * Responds with a file, or with the requested range of it. Players request ranges of video and audio to seek, and
 * some play nothing else. The range is cut out here, because not every file server supports ranges.
 *
 * @param requested the headers of the request
 * @throws ApiError 416 if the range begins after the end of the file
 */
export function respondWithFile(
  reply: FastifyReply,
  requested: IncomingHttpHeaders,
  { body, bytes: length, filename }: OpenedMedia,
  { type, isInline }: { type: string; isInline: boolean },
): FastifyReply {
  // `If-Range` names a version of the file, and we send no validators.
  const range =
    length === undefined || requested['if-range'] !== undefined
      ? undefined
      : readRange(requested.range, length);
  if (range === 'unsatisfiable') {
    body.destroy();
    throw outsideFile(length!);
  }
  const name = encodeURIComponent((filename ?? 'file').toWellFormed());
  reply.headers({
    'content-type': type,
    'content-disposition': `${isInline ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
    // The file comes from strangers and must not act as a page of ours.
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=3600',
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
    .send(partOf(body, range));
}

function outsideFile(length: number): ApiError {
  return new ApiError('range_not_satisfiable', {
    headers: { 'accept-ranges': 'bytes', 'content-range': `bytes */${length}` },
  });
}
