import type { Readable } from 'node:stream';
import type { NumberFinder } from '../numbers/find-number.ts';
import { recordTokenStatus } from '../numbers/report-problem.ts';
import type { Database } from '../platform/database/database.ts';
import { ApiError, notFound } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import type { Log } from '../platform/log.ts';
import type { NetworkClient } from '../whatsapp/client.ts';
import { isTokenRefusal, meaningOf, refusalMessage } from '../whatsapp/errors.ts';

export type OpenServices = {
  db: Database;
  log: Log;
  network: NetworkClient;
  numbers: NumberFinder;
};

/**
 * Opens a file that the network has: one that was received, or uploaded.
 *
 * @throws ApiError 404 if the file or its number no longer exists (the network forgets received files after 7 days and
 *   uploaded ones after 30), 500 if the network is unavailable
 */
export async function openFromNetwork(
  services: OpenServices,
  tenantId: number,
  media: { number_id: number; media_id: string },
): Promise<{ mimeType: string; bytes: number | undefined; body: Readable }> {
  const { network, numbers } = services;
  const number = (await numbers.connected(tenantId)).find(({ id }) => id === media.number_id);
  if (!number) throw notFound();
  const opened = await network.openMedia(number, media.media_id);
  if (opened.outcome === 'open') return opened;
  if (opened.outcome === 'unreachable') throw unavailable(opened.cause);
  const { error } = opened;
  const { fault } = meaningOf(error);
  // A refused token or a rate limit does not mean that the file is gone.
  const isTransient = fault === 'network' || fault === 'rate';
  const isRefusedToken = error.fromNetwork && isTokenRefusal(refusalMessage(error));
  if (isRefusedToken) await recordTokenStatus(services, number, error);
  throw isTransient || isRefusedToken ? unavailable(error) : notFound();
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
