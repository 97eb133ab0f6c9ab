import type { Readable } from 'node:stream';
import type { Db } from '../../platform/database/database.ts';
import type { ByteRange } from '../../platform/http/byte-range.ts';
import type { Storage } from '../storage/storage.ts';
import { isInOtherFolder } from './media-folders.ts';
import { findKeptFile } from './queries.ts';

export type OpenedKeptFile = {
  mimeType: string;
  bytes: number;
  /** Opens the file or a part of it; undefined if its place has lost it. */
  read(range: ByteRange | undefined): Promise<Readable | undefined>;
  /** Whether a file that its place does not have can be in the folder of another process. */
  isElsewhere(): Promise<boolean>;
};

/** Finds the copy of the file of a message; undefined if none is kept. */
export async function openKeptFile(
  { db, storage }: { db: Db; storage: Storage },
  tenantId: number,
  messageId: number,
): Promise<OpenedKeptFile | undefined> {
  const file = await findKeptFile(db, tenantId, messageId);
  if (!file) return undefined;
  return {
    mimeType: file.mime_type,
    bytes: file.size,
    read: (range) => storage.open(file, range),
    isElsewhere: () => isInOtherFolder({ db, storage }, file),
  };
}
