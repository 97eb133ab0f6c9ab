import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { NumberFinder } from '../../numbers/find-number.ts';
import { partOf, readRange } from '../../platform/http/byte-range.ts';
import { idFrom } from '../../platform/values/id.ts';
import type { Services } from '../../services.ts';
import type { TenantApi } from '../../tenants/tenant-api.ts';
import { createMediaLimit } from './limit-media.ts';
import { openMedia } from './open-media.ts';

/** Types that are shown inline. Everything else is a download. */
const shownTypes = /^(image\/(jpeg|png|webp|gif)|video\/(mp4|3gpp)|audio\/[\w.+-]+)$/;

/** The file of a received or sent message, or a range of it. */
export function mediaRoute(api: TenantApi, services: Services & { numbers: NumberFinder }): void {
  const limited = createMediaLimit();
  // A HEAD request would download the whole file.
  const options = { schema: { responseType: '*/*' }, exposeHeadRoute: false };
  api.get('/conversation/media/:id', options, async (request, reply) => {
    const { member, params, headers } = request;
    // The browser has already disconnected, so `close` will not be emitted.
    if (reply.raw.destroyed) return reply.hijack();
    const media = await limited(member, reply, () =>
      openMedia({ ...services, db: request.db }, member.tenantId, idFrom(params)),
    );
    // The browser disconnected while the file was opened.
    if (reply.raw.destroyed) {
      media.body.destroy();
      return reply.hijack();
    }
    // Without parameters such as the codec of a voice message.
    const type = media.mimeType.split(';')[0]!.trim().toLowerCase();
    const isShown = shownTypes.test(type);
    const name = encodeURIComponent(media.filename ?? 'file');
    reply.headers({
      'content-type': isShown ? type : 'application/octet-stream',
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
      // The file comes from strangers and must not act as a page of ours.
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=3600',
    });
    if (media.bytes === undefined) return reply.send(media.body);
    return sendRange(reply, headers, media.body, media.bytes);
  });
}

/**
 * Sends the requested range of a file. Players request ranges of video and audio to seek, and some play
 * nothing else. The range is cut out here, because not every file server supports ranges.
 */
function sendRange(
  reply: FastifyReply,
  requested: IncomingHttpHeaders,
  body: Readable,
  length: number,
): FastifyReply {
  reply.header('accept-ranges', 'bytes');
  // `If-Range` names a version of the file, and we send no validators.
  const range =
    requested['if-range'] === undefined ? readRange(requested.range, length) : undefined;
  if (range === undefined) return reply.header('content-length', length).send(body);
  if (range === 'unsatisfiable') {
    body.destroy();
    return reply.code(416).header('content-range', `bytes */${length}`).send();
  }
  const { first, last } = range;
  return reply
    .code(206)
    .headers({
      'content-range': `bytes ${first}-${last}/${length}`,
      'content-length': last - first + 1,
    })
    .send(partOf(body, range));
}
