import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newObjectId } from './ids.ts';

const bytesKept = 300 * 1024 * 1024;

export interface StoredMedia {
  id: string;
  /** Whose it is: only this number's token may read it. */
  phone_number_id: string;
  mime_type: string;
  filename: string | null;
  /** Hexadecimal. */
  sha256: string;
  file_size: number;
  /** Part of the download address, so that it cannot be guessed from the id. */
  hash: string;
}

export interface MediaStore {
  add(numberId: string, mimeType: string, filename: string | null, bytes: Buffer): StoredMedia;
  get(id: string): StoredMedia | undefined;
  bytes(id: string): Buffer | null;
  remove(id: string): void;
  list(): StoredMedia[];
  /** Takes back what a state file knew. */
  restore(media: StoredMedia[]): void;
}

/** Uploaded files: in memory, or in a folder when there is one. The oldest give way at 300 MB. */
export function createMediaStore(folder: string | null): MediaStore {
  const known = new Map<string, StoredMedia>();
  const held = new Map<string, Buffer>();
  let total = 0;
  const fileOf = (id: string) => join(folder ?? '', id);

  function remove(id: string): void {
    total -= known.get(id)?.file_size ?? 0;
    known.delete(id);
    held.delete(id);
    if (folder) rmSync(fileOf(id), { force: true });
  }

  return {
    add(numberId, mimeType, filename, bytes) {
      const media: StoredMedia = {
        id: newObjectId(16),
        phone_number_id: numberId,
        mime_type: mimeType,
        filename,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        file_size: bytes.length,
        hash: randomBytes(16).toString('base64url'),
      };
      known.set(media.id, media);
      if (folder) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(fileOf(media.id), bytes);
      } else held.set(media.id, bytes);
      total += bytes.length;
      for (const oldest of known.keys()) {
        if (total <= bytesKept || oldest === media.id) break;
        remove(oldest);
      }
      return media;
    },
    get: (id) => known.get(id),
    bytes(id) {
      if (!known.has(id)) return null;
      if (!folder) return held.get(id) ?? null;
      return existsSync(fileOf(id)) ? readFileSync(fileOf(id)) : null;
    },
    remove,
    list: () => [...known.values()],
    restore(media) {
      for (const one of media) {
        if (!folder || !existsSync(fileOf(one.id))) continue;
        known.set(one.id, one);
        total += one.file_size;
      }
    },
  };
}
