import type { Database } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/failures/retry-deadlock.ts';
import { deleteRowsOfStore, deleteStore, findStore, setStoreKeys } from '../queries.ts';
import { recordStore } from './record-store.ts';

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
  const store = await findStore(db, tenantId, id);
  if (!store) return false;
  await setStoreKeys(db, tenantId, id, { secret: null, authentication: null });
  for (const table of largeTables) {
    const deleteChunk = () => deleteRowsOfStore(db, { tenantId, id }, table, chunkSize);
    while ((await retryDeadlock(deleteChunk)) > 0);
  }
  return retryDeadlock(() =>
    db.transaction(async (tx) => {
      const isDeleted = await deleteStore(tx, tenantId, id);
      if (isDeleted) await recordStore(tx, 'store.deleted', store);
      return isDeleted;
    }),
  );
}
