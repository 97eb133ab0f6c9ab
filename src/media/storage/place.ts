import type { Readable } from 'node:stream';
import type { ByteRange } from '../../platform/http/byte-range.ts';

/** A whole file on the disk of this machine, on its way into a place. */
export type NewFile = { path: string; size: number; sha256: Buffer };

/** A place for copies of files: the data folder, or a bucket. */
export type Place = {
  /** Takes the file over: afterwards it is in the place under its key, whole and durable, and no longer at its path. */
  put(key: string, file: NewFile): Promise<void>;
  /** Opens a file or a part of it; undefined if the place does not have it. */
  open(key: string, range: ByteRange | undefined): Promise<Readable | undefined>;
  /** Removes a file if it is there. */
  remove(key: string): Promise<void>;
  close(): Promise<void>;
};
