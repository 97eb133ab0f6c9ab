import type { Readable } from 'node:stream';
import type { NumberFinder } from '../numbers/find-number.ts';
import { recordTokenStatus } from '../numbers/state/report-problem.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError, notFound } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import type { Log } from '../platform/log.ts';
import type { NetworkClient } from '../whatsapp/client.ts';
import type { OpenMedia } from '../whatsapp/media.ts';

export type OpenServices = {
  db: Database;
  log: Log;
  network: NetworkClient;
  numbers: NumberFinder;
};

type NetworkFile = { number_id: number; media_id: string };

/**
 * Opens a file that the network has: one that was received, or uploaded.
 *
 * @throws ApiError 404 if the network has the file no more (it forgets received files after 7 days and uploaded ones
 *   after
 *   30); 500 if the network is unavailable or refuses the number, or the number is not connected
 */
export async function openFromNetwork(
  services: OpenServices,
  tenantId: number,
  media: NetworkFile,
): Promise<{ mimeType: string; bytes: number | undefined; body: Readable }> {
  const opened = await tryNetwork(services, tenantId, media);
  if (opened.outcome === 'open') return opened;
  if (opened.outcome === 'gone') throw notFound();
  if (opened.outcome === 'disconnected') throw unavailable('the number is not connected');
  throw unavailable(opened.outcome === 'refused' ? opened.error : opened.cause);
}

/** Opens a file like `openFromNetwork`, and returns why it could not be opened. Only `gone` is final. */
export async function tryNetwork(
  services: OpenServices,
  tenantId: number,
  media: NetworkFile,
): Promise<OpenMedia | { outcome: 'disconnected' }> {
  const { network, numbers } = services;
  const number = (await numbers.connected(tenantId)).find(({ id }) => id === media.number_id);
  if (!number) return { outcome: 'disconnected' };
  const opened = await network.openMedia(number, media.media_id);
  if (opened.outcome === 'refused' && opened.error.fromNetwork) {
    await recordTokenStatus(services, number, opened.error);
  }
  return opened;
}

/** The file may exist, and a later request may find it. */
export function unavailable(cause: unknown): ApiError {
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
