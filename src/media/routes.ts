import type { Readable } from 'node:stream';
import type { NumberFinder } from '../numbers/find-number.ts';
import { createKeyedSemaphore } from '../platform/concurrency/keyed-semaphore.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { success } from '../platform/http/success.ts';
import { allowLongUpload } from '../platform/listener/limits/limit-bodies.ts';
import type { Services } from '../services.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { mediaIdOf } from './find-upload.ts';
import { kindOf } from './media-kinds.ts';
import { formTooLong, notAForm } from './read-form.ts';
import { UploadedMedia, UploadForm, uploaded } from './schema.ts';
import { maxUploadBytes, type Uploaded, uploadMedia } from './upload-media.ts';

/** Concurrent uploads of a tenant. Each holds a connection of its client and one to the network, for up to half an hour. */
const maxAtOnce = 20;

/** Registers the route that uploads a file for later sends. */
export function mediaRoutes(api: TenantApi, services: Services & { numbers: NumberFinder }): void {
  const uploads = createKeyedSemaphore<number>(maxAtOnce);

  api.register(async (files: TenantApi) => {
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('multipart/form-data', (_request, body, done) => done(null, body));
    files.addContentTypeParser('*', (_request, _body, done) => done(notAForm()));

    files.post(
      '/media',
      {
        config: { ability: 'media:write', limitConcurrency: false, takesKey: false },
        schema: {
          operationId: 'uploadMedia',
          tags: ['Media'],
          summary: 'Upload a file',
          description:
            'Uploads a file to WhatsApp, to be sent by its `media_id` any number of times. The content must ' +
            'be of the type that its Content-Type names, and have at most 5 MB as an image, 16 MB as video or audio, ' +
            'and 100 MB as a document. Only one number can send the file: that of `from`, or the default number. ' +
            'The same file of the same number gets the same `media_id`, which then lives for another 30 days, so no ' +
            'Idempotency-Key is needed. Parley keeps no copy. A tenant can upload 20 files at a time.',
          form: UploadForm,
          response: { 200: UploadedMedia },
        },
      },
      async (request) => {
        const { caller, body, headers, raw } = request;
        if (!body) throw notAForm();
        if (Number(headers['content-length'] ?? 0) > maxUploadBytes) throw formTooLong();
        const leave = uploads.tryAcquire(caller.tenantId);
        if (!leave) throw tooMany();
        try {
          allowLongUpload(raw);
          return presentUpload(
            await uploadMedia(services, caller.tenantId, request, body as Readable),
          );
        } finally {
          leave();
        }
      },
    );
  });
}

function presentUpload(upload: Uploaded) {
  const { mime_type, size, sha256, expires_at } = upload;
  return success({
    message: uploaded,
    data: {
      media_id: mediaIdOf(upload),
      type: kindOf(mime_type)!,
      mime_type,
      size,
      sha256: sha256.toString('hex'),
      expires_at: expires_at.toISOString(),
    },
  });
}

function tooMany(): ApiError {
  return new ApiError('rate_limited', {
    message: fault(
      'too_many_uploads',
      'This tenant is uploading {max} files already. Wait until one has arrived.',
      { max: maxAtOnce },
    ),
    retryAfterSeconds: 5,
  });
}
