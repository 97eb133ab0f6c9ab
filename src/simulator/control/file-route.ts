import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { contextOf, receiveInbound } from '../callbacks/inbound.ts';
import { downloadUrl } from '../media.ts';
import type { Network } from '../network.ts';
import { ControlError } from './control-error.ts';
import { fileSchema } from './control-schemas.ts';
import { requireNumber, requirePhone } from './require-known.ts';

const maxUploadBytes = 100 * 1024 * 1024;
const captioned = ['image', 'video', 'document'];

/** Adds the route that sends a file from a phone: stored as media of the number, reported as a message. */
export function fileRoute(app: FastifyInstance, network: Network): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: maxUploadBytes },
    (_request, body, done) => done(null, body),
  );
  app.post<{ Params: { phone: string }; Querystring: Static<typeof fileSchema> }>(
    '/simulator/phones/:phone/media',
    { schema: { querystring: fileSchema }, bodyLimit: maxUploadBytes },
    async (request) => {
      const { phone } = requirePhone(network, request.params.phone);
      const { phone_number_id: numberId, filename, caption, context, voice } = request.query;
      const number = requireNumber(network, numberId);
      if (!Buffer.isBuffer(request.body)) throw new ControlError(400, 'the file is missing');
      const isVoice = voice === 'true';
      const mime = mimeOf(request.headers['content-type'], isVoice);
      const type = typeOf(mime);
      if (isVoice && type !== 'audio') throw new ControlError(400, 'voice is for audio only');
      if (caption && !captioned.includes(type)) {
        throw new ControlError(400, 'only an image, a video or a document can have a caption');
      }
      const stored = network.media.add(numberId, mime, filename, request.body, 'received');
      const message = receiveInbound(network, number, {
        from: phone,
        type,
        ...(context && { context: contextOf(network, number, context) }),
        content: {
          ...(caption && { caption }),
          ...(type === 'document' && { filename }),
          mime_type: mime,
          // The real network also uses hexadecimal in lookups and base64 in callbacks.
          sha256: Buffer.from(stored.sha256, 'hex').toString('base64'),
          id: stored.id,
          url: downloadUrl(request.host, stored),
          ...(type === 'audio' && { voice: isVoice }),
        },
      });
      return { message_id: message.wamid };
    },
  );
}

/** The network names the codec of a voice message, and no parameter of another file. */
function mimeOf(contentType = 'application/octet-stream', isVoice = false): string {
  const mime = contentType.split(';')[0]!.trim().toLowerCase();
  return isVoice && mime === 'audio/ogg' ? 'audio/ogg; codecs=opus' : mime;
}

function typeOf(mime: string): string {
  if (mime === 'image/webp') return 'sticker';
  return /^(image|video|audio)\//.exec(mime)?.[1] ?? 'document';
}
