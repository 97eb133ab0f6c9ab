import type { Database } from '../../platform/database/database.ts';
import type { Storage, StoredFile } from '../storage/storage.ts';
import { findRemovable, forgetFiles, postponeRemoval } from './queries.ts';

const batchSize = 200;
/** How many files are removed at once. */
const width = 8;

/**
 * Removes copies of files of all tenants in batches: of deleted messages, and those that are older than their tenants
 * keep them. A file goes first and its row second, so that no file is left without a row.
 *
 * @throws Error if some could not be removed, after all others were
 */
export async function removeKeptFiles(
  { db, storage }: { db: Database; storage: Storage },
  isStopping: () => boolean = () => false,
): Promise<void> {
  const { usesBucket } = storage;
  const folderId = await storage.folderId.find();
  let failures = 0;
  let cause: unknown;
  while (!isStopping()) {
    const files = await findRemovable(db, { limit: batchSize, usesBucket, folderId });
    const removed: StoredFile[] = [];
    const failed: StoredFile[] = [];
    for (let start = 0; start < files.length; start += width) {
      const some = files.slice(start, start + width);
      const results = await Promise.allSettled(some.map((file) => storage.remove(file)));
      for (const [index, result] of results.entries()) {
        if (result.status === 'rejected') cause ??= result.reason;
        (result.status === 'fulfilled' ? removed : failed).push(some[index]!);
      }
    }
    if (removed.length > 0) await forgetFiles(db.batched, removed);
    if (failed.length > 0) await postponeRemoval(db, failed);
    failures += failed.length;
    if (files.length < batchSize) break;
  }
  if (failures > 0) {
    throw new Error(
      `${failures} kept files could not be removed. They are tried again in an hour.`,
      {
        cause,
      },
    );
  }
}
