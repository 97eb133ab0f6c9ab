import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Database } from '../../platform/database/database.ts';
import { foldersDiffer, takeHome } from '../kept/media-folders.ts';
import { forgetFiles } from '../kept/queries.ts';
import { download } from '../storage/download.ts';
import type { Storage } from '../storage/storage.ts';
import {
  type FileRow,
  listLeft,
  releasePlaces,
  reservePlace,
  type SourceRow,
} from './file-rows.ts';

export type ReceivedFiles = Awaited<ReturnType<typeof receiveFiles>>;

/**
 * Begins to take over the files of a tenant that arrives. Copies get a number of their own, so that they never meet
 * those of an earlier attempt or of another cell in the same bucket.
 *
 * @param folder where files are on their way; it is on the disk of the data folder, unless they go to a bucket
 * @throws Error if files of this cell are kept in another folder
 */
export async function receiveFiles(
  { db, storage }: { db: Database; storage: Storage },
  tenantId: number,
  folder: string,
) {
  if (!storage.usesBucket && !(await takeHome({ db, storage }))) {
    throw new Error(foldersDiffer.text);
  }
  const copyId = randomInt(1, 2 ** 31 - 1);
  await removeLeft({ db, storage }, tenantId);

  return {
    /**
     * Puts a file into its place here.
     *
     * @returns the row of the copy. If the bytes are not those that were kept, the network is asked again
     */
    async receive(row: FileRow, body: Readable): Promise<SourceRow> {
      const { message_id } = row;
      const place = { tenant_id: tenantId, message_id, copy_id: copyId };
      const in_bucket = storage.usesBucket;
      const file = await download(folder, body);
      try {
        const isWhole = file.size === row.size && file.sha256.toString('hex') === row.sha256;
        if (!isWhole) return toDownload(row);
        await reservePlace(db.pool, { ...place, in_bucket }, row);
        await storage.put(place, file);
        return { ...row, copy_id: copyId, in_bucket };
      } finally {
        await rm(file.path, { force: true });
      }
    },

    /** The tenant did not arrive: leaves the copies to the worker. */
    async giveUp(): Promise<void> {
      await releasePlaces(db.pool, tenantId);
    },
  };
}

/** The row of a file that has to be asked of the network. */
export function toDownload(row: FileRow): SourceRow {
  const unknown = { kept_at: null, size: null, mime_type: null, sha256: null };
  return { ...row, ...unknown, copy_id: 0, in_bucket: false };
}

/** Removes what the worker has not removed yet, if the tenant was here before. */
async function removeLeft(
  { db, storage }: { db: Database; storage: Storage },
  tenantId: number,
): Promise<void> {
  for (;;) {
    const left = await listLeft(db.pool, tenantId);
    if (left.length === 0) return;
    for (const file of left) await storage.remove(file);
    await forgetFiles(db.batched, left);
  }
}
