import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { NumberFinder } from '../../numbers/find-number.ts';
import { partOf, readRange } from '../../platform/http/byte-range.ts';
import { idFrom } from '../../platform/id.ts';
import type { Services } from '../../services.ts';
import type { TenantApi } from '../../tenants/tenant-api.ts';
import { createMediaLimit } from './limit-media.ts';
import { openMedia } from './open-media.ts';

/** Shown in the page; everything else is handed over as a file. */
const shownTypes = /^(image\/(jpeg|png|webp|gif)|video\/(mp4|3gpp)|audio\/[\w.+-]+)$/;

/** The file of a message, received or sent, whole or in part. */
export function mediaRoute(api: TenantApi, services: Services & { numbers: NumberFinder }): void {
  const limited = createMediaLimit();
  // To answer HEAD, the file would be fetched to its end.
  api.get('/conversation/media/:id', { exposeHeadRoute: false }, async (request, reply) => {
    const { member, params, headers } = request;
    // The browser has left already, so there will be no `close` to wait for.
    if (reply.raw.destroyed) return reply.hijack();
    const media = await limited(member, reply, () =>
      openMedia(services, member.tenantId, idFrom(params)),
    );
    // Its reader left while it was opened.
    if (reply.raw.destroyed) {
      media.body.destroy();
      return reply.hijack();
    }
    // Without parameters, such as the codec of a voice message.
    const type = media.mimeType.split(';')[0]!.trim().toLowerCase();
    const isShown = shownTypes.test(type);
    const name = encodeURIComponent(media.filename ?? 'file');
    reply.headers({
      'content-type': isShown ? type : 'application/octet-stream',
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
      // Written by strangers: it must not act as a page of ours.
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=3600',
    });
    if (media.bytes === undefined) return reply.send(media.body);
    return sendInPart(reply, headers, media.body, media.bytes);
  });
}

/**
 * Players ask for parts of a film or sound to move about in it, and some play nothing else. The part
 * is cut out here, because not every place that has a file gives parts of it.
 */
function sendInPart(
  reply: FastifyReply,
  asked: IncomingHttpHeaders,
  body: Readable,
  length: number,
): FastifyReply {
  reply.header('accept-ranges', 'bytes');
  // `If-Range` names what a part would belong to, and we give nothing that could be named.
  const range = asked['if-range'] === undefined ? readRange(asked.range, length) : undefined;
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
