import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newObjectId } from './ids.ts';

const maxStoredBytes = 300 * 1024 * 1024;
const dayMs = 86_400_000;
/** How long the network has a file: one that a person sent, and one that a business uploaded. */
const lifetimeDays = { received: 7, uploaded: 30 };

export type StoredMedia = {
  id: string;
  /** The owner: only the token of this number may read the file. */
  phone_number_id: string;
  mime_type: string;
  filename: string | null;
  /** Hexadecimal. */
  sha256: string;
  file_size: number;
  /** Part of the download URL, so that it cannot be guessed from the id. */
  hash: string;
  /** When the network forgets the file, in milliseconds; the phones keep it. A file of an earlier version has none. */
  forgotten_at?: number;
};

export type MediaStore = {
  add(
    numberId: string,
    mimeType: string,
    filename: string | null,
    bytes: Buffer,
    origin: keyof typeof lifetimeDays,
  ): StoredMedia;
  /** Finds a file that the network has not forgotten. */
  get(id: string): StoredMedia | undefined;
  /** Finds a file as the phones have it. */
  onPhone(id: string): StoredMedia | undefined;
  /** Lets the network forget a file now. */
  forget(id: string): void;
  bytes(id: string): Buffer | null;
  list(): StoredMedia[];
  /** Restores the records of a state file. */
  restore(media: StoredMedia[]): void;
};

const urlSeconds = 300;

/** The URL of a file at the simulator, for five minutes and for a client with the token of its number. */
export function downloadUrl(host: string, { id, hash }: StoredMedia): string {
  const end = Math.floor(Date.now() / 1000) + urlSeconds;
  return `http://${host}/whatsapp_business/attachments/?mid=${id}&ext=${end}&hash=${hash}`;
}

/** Stores uploaded files in memory, or in a folder if given. Deletes the oldest beyond 300 MB. */
export function createMediaStore(folder: string | null): MediaStore {
  const records = new Map<string, StoredMedia>();
  const contents = new Map<string, Buffer>();
  let total = 0;
  const fileOf = (id: string) => join(folder ?? '', id);

  function remove(id: string): void {
    total -= records.get(id)?.file_size ?? 0;
    records.delete(id);
    contents.delete(id);
    if (folder) rmSync(fileOf(id), { force: true });
  }

  return {
    add(numberId, mimeType, filename, bytes, origin) {
      const media: StoredMedia = {
        id: newObjectId(16),
        phone_number_id: numberId,
        mime_type: mimeType,
        filename,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        file_size: bytes.length,
        hash: randomBytes(16).toString('base64url'),
        forgotten_at: Date.now() + lifetimeDays[origin] * dayMs,
      };
      records.set(media.id, media);
      if (folder) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(fileOf(media.id), bytes);
      } else contents.set(media.id, bytes);
      total += bytes.length;
      for (const oldest of records.keys()) {
        if (total <= maxStoredBytes || oldest === media.id) break;
        remove(oldest);
      }
      return media;
    },
    get(id) {
      const media = records.get(id);
      return (media?.forgotten_at ?? Number.POSITIVE_INFINITY) > Date.now() ? media : undefined;
    },
    onPhone: (id) => records.get(id),
    forget(id) {
      const media = records.get(id);
      if (media) media.forgotten_at = 0;
    },
    bytes(id) {
      if (!records.has(id)) return null;
      if (!folder) return contents.get(id) ?? null;
      return existsSync(fileOf(id)) ? readFileSync(fileOf(id)) : null;
    },
    list: () => [...records.values()],
    restore(media) {
      for (const one of media) {
        if (!folder || !existsSync(fileOf(one.id))) continue;
        records.set(one.id, one);
        total += one.file_size;
      }
    },
  };
}
