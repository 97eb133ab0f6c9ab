import type { Readable } from 'node:stream';
import { findUpload } from '../../../media/find-upload.ts';
import { openKeptFile } from '../../../media/kept/open-kept-file.ts';
import {
  type OpenServices,
  openFromNetwork,
  unavailable,
} from '../../../media/open-from-network.ts';
import type { Storage } from '../../../media/storage/storage.ts';
import { notFound } from '../../../platform/errors/api-error.ts';
import { type ByteRange, partOf } from '../../../platform/http/byte-range.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { findMedia, type MediaRow } from '../conversation-queries.ts';
import { type OpenedMedia, openSentFile } from './open-sent-file.ts';

/** A file that can be read once, or closed. */
export type ReadableMedia = Omit<OpenedMedia, 'body'> & {
  /** @throws ApiError 404 if the file was lost since it was opened, 500 if it is unavailable */
  read(range: ByteRange | undefined): Promise<Readable>;
  close(): void;
};

/**
 * Opens the file of a message: the copy if it is kept, otherwise from the network if it was received or uploaded, or
 * from its URL if it was sent by that.
 *
 * @throws ApiError 404 if the message has no file or it no longer exists, 500 if the network or the file's server is
 *   unavailable
 */
export async function openMedia(
  services: OpenServices & { files: Outbound; storage: Storage },
  tenantId: number,
  messageId: number,
): Promise<ReadableMedia> {
  const { db, files } = services;
  const media = await findMedia(db, tenantId, messageId);
  if (!media) throw notFound();
  if (media.address !== null) {
    return readable(await openSentFile(files, media.address, media.filename));
  }
  const fromNetwork = () => openRow(services, tenantId, media);
  const kept = media.is_inbound ? await openKeptFile(services, tenantId, messageId) : undefined;
  if (!kept) return fromNetwork();
  const { mimeType, bytes } = kept;
  return {
    mimeType,
    bytes,
    filename: media.filename,
    async read(range) {
      const copy = await kept.read(range);
      if (copy) return copy;
      const again = await fromNetwork().catch(async (error) => {
        throw (await kept.isElsewhere()) ? unavailable(error) : error;
      });
      return again.read(range);
    },
    close() {},
  };
}

/**
 * Opens an uploaded file by its `media_id`.
 *
 * @throws ApiError as `openMedia`
 */
export async function openUpload(
  services: OpenServices,
  tenantId: number,
  mediaId: string,
): Promise<ReadableMedia> {
  const upload = await findUpload(services.db, tenantId, mediaId);
  if (!upload) throw notFound();
  const { number_id, network_id: media_id, filename } = upload;
  return openRow(services, tenantId, { number_id, media_id, filename });
}

async function openRow(
  services: OpenServices,
  tenantId: number,
  media: Pick<MediaRow & { media_id: string }, 'number_id' | 'media_id' | 'filename'>,
): Promise<ReadableMedia> {
  const opened = await openFromNetwork(services, tenantId, media);
  return readable({ ...opened, filename: media.filename });
}

function readable({ body, ...media }: OpenedMedia): ReadableMedia {
  return {
    ...media,
    read: async (range) => (range ? partOf(body, range) : body),
    close: () => body.destroy(),
  };
}
