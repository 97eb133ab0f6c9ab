import { ApiError, notFound } from '../../errors.ts';
import type { NumberFinder } from '../../numbers/find-number.ts';
import type { Database } from '../../platform/database.ts';
import type { NetworkClient, OpenMedia } from '../../whatsapp/client.ts';
import { findReceivedMedia } from './conversation-queries.ts';

export type OpenedMedia = Extract<OpenMedia, { outcome: 'open' }> & { filename: string | null };

/**
 * Opens the file of an inbound message, fetched from the network at this moment; nothing is kept.
 *
 * @throws ApiError 404 when the message has none here or the network has it no more (after 30
 *   days), 500 when the network cannot be reached
 */
export async function openMedia(
  services: { db: Database; network: NetworkClient; numbers: NumberFinder },
  tenantId: number,
  messageId: number,
): Promise<OpenedMedia> {
  const { db, network, numbers } = services;
  const media = await findReceivedMedia(db, tenantId, messageId);
  const number = (await numbers.connected(tenantId)).find(({ id }) => id === media?.numberId);
  if (!media || !number) throw notFound();
  const opened = await network.openMedia(number, media.mediaId);
  if (opened.outcome === 'open') return { ...opened, filename: media.filename };
  if (opened.outcome === 'refused' && opened.error.status < 500) throw notFound();
  throw new ApiError('server_error', {
    message: 'The network does not give the file at the moment.',
    retryAfterSeconds: 10,
    cause: opened.outcome === 'refused' ? opened.error : opened.cause,
  });
}
