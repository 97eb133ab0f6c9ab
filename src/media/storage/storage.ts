import type { Readable } from 'node:stream';
import type { Config } from '../../config.ts';
import type { ByteRange } from '../../platform/http/byte-range.ts';
import { createFolder } from './folder.ts';
import type { NewFile, Place } from './place.ts';

/** A copy of a file. */
export type StoredFile = {
  tenant_id: number;
  message_id: number;
  /** 0 if it was downloaded here, see migration 0030. */
  copy_id: number;
  in_bucket: boolean;
};

export type Storage = ReturnType<typeof createStorage>;

type StorageSettings = Pick<
  Config,
  'dataDir' | 'mediaBucket' | 'mediaBucketRegion' | 'mediaBucketKeyId' | 'mediaBucketSecret'
>;

/**
 * Creates the storage for copies of files. New ones go to the bucket of the settings, otherwise to the data folder.
 * Those in the other place stay readable.
 */
export function createStorage(settings: StorageSettings) {
  const folder = createFolder(settings.dataDir);
  const usesBucket = settings.mediaBucket !== '';
  let opening: Promise<Place> | undefined;

  /** Most installations have no bucket, so its client is loaded when it is used first. */
  function bucket(): Promise<Place> {
    opening ??= import('./bucket.ts').then(({ createBucket }) => createBucket(settings));
    return opening;
  }

  async function placeOf({ in_bucket }: Pick<StoredFile, 'in_bucket'>): Promise<Place> {
    if (!in_bucket) return folder;
    if (!usesBucket)
      throw new Error('The file is in a bucket, and PARLEY_MEDIA_BUCKET is not set.');
    return bucket();
  }

  return {
    usesBucket,
    /** Where files are downloaded to before they are put into their place. */
    incoming: folder.incoming,
    folderId: folder.folderId,
    async put(file: Omit<StoredFile, 'in_bucket'>, content: NewFile): Promise<StoredFile> {
      const stored = { ...file, in_bucket: usesBucket };
      await (await placeOf(stored)).put(keyOf(stored), content);
      return stored;
    },
    async open(file: StoredFile, range: ByteRange | undefined): Promise<Readable | undefined> {
      return (await placeOf(file)).open(keyOf(file), range);
    },
    async remove(file: StoredFile): Promise<void> {
      await (await placeOf(file)).remove(keyOf(file));
    },
    /** The bucket of the settings, for its check. */
    bucket,
    async close(): Promise<void> {
      await (await opening)?.close();
    },
  };
}

/** Tenants of other cells have other ids, or copies of other numbers, so cells can share a bucket. */
function keyOf({ tenant_id, message_id, copy_id }: Omit<StoredFile, 'in_bucket'>): string {
  const key = `${tenant_id}/message-${message_id}`;
  return copy_id === 0 ? key : `${key}-${copy_id}`;
}
