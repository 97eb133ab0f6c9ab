import { findUpload } from '../../media/find-upload.ts';
import type { NumberFinder } from '../../numbers/find-number.ts';
import { recordTokenStatus } from '../../numbers/report-problem.ts';
import type { Database } from '../../platform/database/database.ts';
import { ApiError, notFound } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { Log } from '../../platform/log.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { NetworkClient } from '../../whatsapp/client.ts';
import { isTokenRefusal, meaningOf, refusalMessage } from '../../whatsapp/errors.ts';
import { findMedia } from './conversation-queries.ts';
import { type OpenedMedia, openSentFile } from './open-sent-file.ts';

type OpenServices = { db: Database; log: Log; network: NetworkClient; numbers: NumberFinder };

/**
 * Opens the file of a message: from the network if it was received or uploaded, from its URL if it was sent by that.
 * Nothing is stored.
 *
 * @throws ApiError 404 if the message has no file or it no longer exists (the network deletes files after
 *   30 days), 500 if the network or the file's server is unavailable
 */
export async function openMedia(
  services: OpenServices & { files: Outbound },
  tenantId: number,
  messageId: number,
): Promise<OpenedMedia> {
  const { db, files } = services;
  const media = await findMedia(db, tenantId, messageId);
  if (!media) throw notFound();
  if (media.address !== null) return openSentFile(files, media.address, media.filename);
  return openFromNetwork(services, tenantId, media);
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
): Promise<OpenedMedia> {
  const upload = await findUpload(services.db, tenantId, mediaId);
  if (!upload) throw notFound();
  const { number_id, network_id: media_id, filename } = upload;
  return openFromNetwork(services, tenantId, { number_id, media_id, filename });
}

async function openFromNetwork(
  services: OpenServices,
  tenantId: number,
  media: { number_id: number; media_id: string; filename: string | null },
): Promise<OpenedMedia> {
  const { network, numbers } = services;
  const number = (await numbers.connected(tenantId)).find(({ id }) => id === media.number_id);
  if (!number) throw notFound();
  const opened = await network.openMedia(number, media.media_id);
  if (opened.outcome === 'open') return { ...opened, filename: media.filename };
  if (opened.outcome === 'unreachable') throw unavailable(opened.cause);
  const { error } = opened;
  const { fault } = meaningOf(error);
  // A refused token or a rate limit does not mean that the file is gone.
  const isTransient = fault === 'network' || fault === 'rate';
  const isRefusedToken = error.fromNetwork && isTokenRefusal(refusalMessage(error));
  if (isRefusedToken) await recordTokenStatus(services, number, error);
  throw isTransient || isRefusedToken ? unavailable(error) : notFound();
}

function unavailable(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message: fault(
      'file_not_loaded',
      'The file could not be loaded from the network. Try again later.',
    ),
    publicCode: 'network_unavailable',
    retryAfterSeconds: 10,
    cause,
  });
}
