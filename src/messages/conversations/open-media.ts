import { ApiError, notFound } from '../../errors.ts';
import type { NumberFinder } from '../../numbers/find-number.ts';
import { noteToken } from '../../numbers/report-problem.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { NetworkClient } from '../../whatsapp/client.ts';
import { isOfToken, meaningOf, refusalWords } from '../../whatsapp/errors.ts';
import { findMedia } from './conversation-queries.ts';
import { type OpenedMedia, openSentFile } from './open-sent-file.ts';

/**
 * Opens the file of a message, fetched at this moment: of an inbound one from the network, of an
 * outbound one from the address that was sent. Nothing is kept.
 *
 * @throws ApiError 404 when the message has none here or it is to be had no more (the network
 *   forgets after 30 days), 500 when the network or the address does not give it now
 */
export async function openMedia(
  services: {
    db: Database;
    log: Log;
    network: NetworkClient;
    numbers: NumberFinder;
    files: Outbound;
  },
  tenantId: number,
  messageId: number,
): Promise<OpenedMedia> {
  const { db, network, numbers, files } = services;
  const media = await findMedia(db, tenantId, messageId);
  if (!media) throw notFound();
  if (media.address !== null) return openSentFile(files, media.address, media.filename);
  const number = (await numbers.connected(tenantId)).find(({ id }) => id === media.numberId);
  if (!number) throw notFound();
  const opened = await network.openMedia(number, media.mediaId);
  if (opened.outcome === 'open') return { ...opened, filename: media.filename };
  if (opened.outcome === 'unreachable') throw notNow(opened.cause);
  const { error } = opened;
  const { blame } = meaningOf(error);
  // Who refuses the token, or is busy, does not say that the file is gone.
  const isOfNow = blame === 'network' || blame === 'rate';
  const isRefusedToken = error.fromNetwork && isOfToken(refusalWords(error));
  if (isRefusedToken) await noteToken(services, number, error);
  throw isOfNow || isRefusedToken ? notNow(error) : notFound();
}

function notNow(cause: unknown): ApiError {
  return new ApiError('server_error', {
    message: 'The network does not give the file at the moment.',
    retryAfterSeconds: 10,
    cause,
  });
}
