import type { Database } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/failures/retry-deadlock.ts';
import { notFound } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { switchWebhookOff } from '../queries.ts';
import { recordEndpoint } from './record-endpoint.ts';
import { deleteDeliveries, deleteWebhook } from './remove-queries.ts';

const chunkSize = 1_000;

/**
 * Removes an endpoint with its log. It is switched off first, so that nothing new is recorded for it, and its
 * deliveries are deleted in small statements.
 *
 * @throws ApiError 404 if there is none
 */
export async function removeEndpoint({ db }: { db: Database }, endpoint: Endpoint): Promise<void> {
  const removed = await switchWebhookOff(
    db,
    endpoint,
    fault('being_removed', 'It is being removed.'),
  );
  if (!removed) throw notFound();
  const deleteChunk = () => deleteDeliveries(db, endpoint, chunkSize);
  while ((await retryDeadlock(deleteChunk)) === chunkSize);
  await retryDeadlock(() =>
    db.transaction(async (tx) => {
      if (await deleteWebhook(tx, endpoint)) await recordEndpoint(tx, 'webhook.deleted', removed);
    }),
  );
}
