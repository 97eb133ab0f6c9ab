import type { FastifyInstance } from 'fastify';
import type { Network } from '../network.ts';
import { bearer, denied, numberOf } from './authorise.ts';
import { GraphError } from './graph-errors.ts';

/** The largest file that the network accepts is a document of 100 MB. */
const maxUploadBytes = 101 * 1024 * 1024;

const MB = 1024 * 1024;
/** The types that the network accepts, with their maximum size. */
const kinds: { types: RegExp; maxBytes: number }[] = [
  { types: /^image\/(jpeg|png)$/, maxBytes: 5 * MB },
  { types: /^image\/webp$/, maxBytes: 500 * 1024 },
  { types: /^video\/(mp4|3gpp)$/, maxBytes: 16 * MB },
  { types: /^audio\/(aac|amr|mpeg|mp4|ogg)$/, maxBytes: 16 * MB },
  {
    types:
      /^(text\/plain|application\/(pdf|msword|vnd\.ms-(excel|powerpoint)|vnd\.openxmlformats-officedocument\.(wordprocessingml\.document|spreadsheetml\.sheet|presentationml\.presentation)))$/,
    maxBytes: 100 * MB,
  },
];

/** Registers the routes to upload, download and remove media. */
export function mediaRoutes(app: FastifyInstance, network: Network): void {
  const { state, media } = network;

  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: maxUploadBytes },
    (_request, body, done) => done(null, body),
  );

  app.post<{ Params: { id: string } }>(
    '/:id/media',
    { bodyLimit: maxUploadBytes },
    async (request) => {
      const number = numberOf(network, request);
      if (!Buffer.isBuffer(request.body))
        throw GraphError.parameter('The parameter file is required.');
      const form = await readForm(request.body, request.headers['content-type'] ?? '');
      if (form.get('messaging_product') !== 'whatsapp') {
        throw GraphError.parameter('The parameter messaging_product is required.');
      }
      const file = form.get('file');
      if (!(file instanceof File)) throw GraphError.parameter('The parameter file is required.');
      // The type of the part counts. If it has none, the field `type` does.
      const typeField = form.get('type');
      const mime =
        plainType(file.type) || plainType(typeof typeField === 'string' ? typeField : '');
      checkMedia(mime, file.size);
      const bytes = Buffer.from(await file.arrayBuffer());
      const { id } = media.add(number.phone_number_id, mime, file.name || null, bytes, 'uploaded');
      state.changes.emit('any');
      return { id };
    },
  );

  app.get<{ Querystring: { mid?: string; hash?: string; ext?: string } }>(
    '/whatsapp_business/attachments/',
    async (request, reply) => {
      // The real network's file host also requires a user agent.
      if (!request.headers['user-agent']) return reply.code(404).send('');
      const { mid = '', hash, ext } = request.query;
      const stored = media.get(mid);
      const owner = stored && state.numbers.get(stored.phone_number_id);
      if (!owner || bearer(request) !== owner.access_token) return reply.code(401).send('');
      const { fileStatus } = network.behaviours.peek(owner.phone_number_id, null);
      if (fileStatus) return reply.code(fileStatus).send('');
      const bytes = media.bytes(mid);
      if (!bytes || hash !== stored.hash || Number(ext) < Date.now() / 1000) {
        return reply.code(404).send('');
      }
      return reply.type(stored.mime_type).send(bytes);
    },
  );

  app.delete<{ Params: { id: string } }>('/:id', async (request) => {
    const stored = media.get(request.params.id);
    const owner = stored && state.numbers.get(stored.phone_number_id);
    if (!owner || bearer(request) !== owner.access_token) {
      throw denied(network, request, request.params.id);
    }
    // The phones that received it keep it.
    media.forget(stored.id);
    state.changes.emit('any');
    return { success: true };
  });
}

async function readForm(body: Buffer, contentType: string): Promise<FormData> {
  try {
    const bytes = new Uint8Array(body);
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw GraphError.parameter('The parameter messaging_product is required.');
  }
}

function plainType(type: string): string {
  return type.split(';')[0]?.trim().toLowerCase() ?? '';
}

function checkMedia(mime: string, size: number): void {
  const kind = kinds.find((one) => one.types.test(mime));
  if (!kind) {
    throw GraphError.of(
      100,
      `Param file must be a file with one of the supported types. Received file of type '${mime}'.`,
    );
  }
  if (size > kind.maxBytes) {
    throw GraphError.of(
      100,
      `The file is larger than the ${kind.maxBytes} bytes allowed for ${mime}.`,
    );
  }
}
