import type { FastifyReply, FastifyRequest } from 'fastify';
import { kindOf } from '../../../media/media-kinds.ts';
import type { NumberFinder } from '../../../numbers/find-number.ts';
import { notFound } from '../../../platform/errors/api-error.ts';
import { doc } from '../../../platform/http/field-schema.ts';
import type { Services } from '../../../services.ts';
import type { TenantApi } from '../../../tenants/api/tenant-api.ts';
import { findMedia } from '../conversation-queries.ts';
import { createMediaLimit } from './limit-media.ts';
import { openMedia, openUpload, type ReadableMedia } from './open-media.ts';
import { fileCacheControl, respondWithFile } from './respond-with-file.ts';

type MediaServices = Services & { numbers: NumberFinder };

/** Types that the dashboard shows inline. Everything else is a download. */
const shownTypes = /^(image\/(jpeg|png|webp|gif)|video\/(mp4|3gpp)|audio\/[\w.+-]+)$/;

/** Messages from before the number was connected have negative ids. */
const isMessageId = /^-?[1-9]\d{0,15}$/;

/** The file of a received or sent message, or a range of it, for the dashboard. */
export function mediaRoute(api: TenantApi, services: MediaServices): void {
  const respond = createResponder(services);
  // A HEAD request would download the whole file.
  const options = { schema: { responseType: '*/*' }, exposeHeadRoute: false };
  api.get('/conversation/media/:id', options, async (request, reply) => {
    const { tenantId, userId } = request.member;
    const { id } = request.params as { id: string };
    if (!isMessageId.test(id)) throw notFound();
    // Weak, because a file that was sent by its URL may change there.
    const etag = `W/"message-${id}"`;
    reply.header('etag', etag);
    if (
      request.headers['if-none-match'] === etag &&
      (await findMedia(request.db, tenantId, Number(id)))
    ) {
      return reply.code(304).header('cache-control', fileCacheControl).send();
    }
    const open = (given: MediaServices) => openMedia(given, tenantId, Number(id));
    const file = { tenantId, caller: userId, open };
    return respond(request, reply, file, { mayShow: true });
  });
}

const mediaId = {
  type: 'string',
  ...doc(
    'Id of the file: `content.media.id` of a message, or `media_id` of an upload.',
    'message-42',
  ),
};

/** The same for the API. The file is always a download. */
export function mediaDownloadRoute(api: TenantApi, services: MediaServices): void {
  const respond = createResponder(services);
  api.get(
    '/media/:media_id',
    {
      config: { ability: 'media:read' },
      schema: {
        operationId: 'getMedia',
        tags: ['Media'],
        summary: 'Download a file',
        description:
          'The file of a received message is the copy that Parley keeps, if the tenant wants it kept (page Numbers of ' +
          'the dashboard). Otherwise it comes from WhatsApp, which deletes it after seven days, and so does an ' +
          'uploaded file, for 30 days. A file that was sent by its URL comes from there. The header `Range` requests a ' +
          'part of the file. `Content-Type` is the type of the file if WhatsApp accepts it for sends, or it is a ' +
          'sticker or GIF; otherwise `application/octet-stream`.',
        pathParameters: { media_id: mediaId },
        responseType: '*/*',
      },
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const { tenantId, tokenId } = request.caller;
      const { media_id } = request.params as { media_id: string };
      const id = media_id.replace(/^message-/, '');
      const isOfMessage = id !== media_id && isMessageId.test(id);
      const open = (given: MediaServices) =>
        isOfMessage
          ? openMedia(given, tenantId, Number(id))
          : openUpload(given, tenantId, media_id);
      const file = { tenantId, caller: `token ${tokenId}`, open };
      return respond(request, reply, file, { mayShow: false });
    },
  );
}

function createResponder(services: MediaServices) {
  const limited = createMediaLimit();

  return async function respond(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      tenantId,
      caller,
      open,
    }: {
      tenantId: number;
      caller: string;
      open: (services: MediaServices) => Promise<ReadableMedia>;
    },
    { mayShow }: { mayShow: boolean },
  ): Promise<FastifyReply> {
    // The client has already disconnected, so `close` will not be emitted.
    if (reply.raw.destroyed) return reply.hijack();
    const media = await limited({ tenantId, userId: caller }, reply, () =>
      open({ ...services, db: request.db }),
    );
    // The client disconnected while it waited, or while the file was opened.
    if (!media || reply.raw.destroyed) {
      media?.close();
      return reply.hijack();
    }
    // Without parameters such as the codec of a voice message.
    const type = media.mimeType.split(';')[0]!.trim().toLowerCase();
    const isShowable = shownTypes.test(type);
    // No types that act as a page, such as HTML, even in a download.
    const safeType = isShowable || kindOf(type) ? type : 'application/octet-stream';
    const isInline = mayShow && isShowable;
    return respondWithFile(reply, request.headers, media, { type: safeType, isInline });
  };
}
