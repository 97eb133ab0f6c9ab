import type { Database } from '../platform/database/database.ts';
import { retryDeadlock } from '../platform/database/failures/retry-deadlock.ts';
import { deleteRowsOfStore, deleteStore, setStoreKeys } from './queries.ts';

/** Tables that grow with the posts of a store. */
const largeTables = ['store_events', 'store_resources', 'store_hours'] as const;
const chunkSize = 500;

/**
 * Removes a store with its events and counts. It loses its keys first, so that its posts are refused, and the rows are
 * deleted in small statements. Otherwise a post would wait for all of them to be deleted, and posts of other stores for
 * this one.
 *
 * @returns whether there was such a store
 */
export async function removeStore(
  { db }: { db: Database },
  tenantId: number,
  id: number,
): Promise<boolean> {
  if (!(await setStoreKeys(db, tenantId, id, { secret: null, authentication: null }))) return false;
  for (const table of largeTables) {
    const deleteChunk = () => deleteRowsOfStore(db, { tenantId, id }, table, chunkSize);
    while ((await retryDeadlock(deleteChunk)) > 0);
  }
  return deleteStore(db, tenantId, id);
}
