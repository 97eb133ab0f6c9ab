import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Storage, StoredFile } from '../storage/storage.ts';
import { findRemovable, forgetFiles } from './queries.ts';

const batchSize = 200;
/** How many files are removed at once. */
const width = 8;

/**
 * Removes copies of files of all tenants in batches: of deleted messages, and those that are older than their tenants
 * keep them. A file goes first and its row second, so that no file is left without a row.
 *
 * @returns the number of removed files
 */
export async function removeKeptFiles(
  { db, log, storage }: { db: Database; log: Log; storage: Storage },
  isStopping: () => boolean = () => false,
): Promise<number> {
  const { usesBucket } = storage;
  const folderId = await storage.folderId.find();
  let total = 0;
  while (!isStopping()) {
    const files = await findRemovable(db, { limit: batchSize, usesBucket, folderId });
    const removed: StoredFile[] = [];
    for (let start = 0; start < files.length; start += width) {
      const some = files.slice(start, start + width);
      const results = await Promise.allSettled(some.map((file) => storage.remove(file)));
      for (const [index, result] of results.entries()) {
        if (result.status === 'fulfilled') removed.push(some[index]!);
        else log.warn({ err: result.reason }, 'a kept file could not be removed');
      }
    }
    if (removed.length > 0) await forgetFiles(db.batched, removed);
    total += removed.length;
    // Those that could not be removed are tried again in the next run.
    if (removed.length < batchSize) break;
  }
  return total;
}
