import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { link, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { dataFrame, firstLine, frame, recordFrame } from './frames.ts';
import { createSealer, deriveArchiveKey, newSalt } from './seal-stream.ts';

export type ArchiveWriter = {
  /** Adds a JSON object. */
  record(value: object): Promise<void>;
  /** Adds bytes, which belong to the record before. */
  data(chunk: Buffer): Promise<void>;
};

/**
 * Writes a file of records and bytes: compressed, with a checksum, and encrypted if there is a secret. The file
 * appears under its name only when it is complete and on the disk. An existing file is not replaced.
 *
 * @param secret the content of a key file, or undefined for a file that is not encrypted
 * @returns the size of the file in bytes
 */
export async function writeArchive(
  path: string,
  secret: string | undefined,
  write: (archive: ArchiveWriter) => Promise<void>,
): Promise<number> {
  const partial = `${path}.${process.pid}.part`;
  const salt = newSalt();
  const file = createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true });
  file.write(firstLine(secret === undefined ? undefined : salt));
  const source = new PassThrough();
  // Level 1: the text of COPY repeats itself, and backups wait for the compression.
  const zipped = createGzip({ level: 1 });
  const ended =
    secret === undefined
      ? pipeline(source, zipped, file)
      : pipeline(source, zipped, createSealer(deriveArchiveKey(secret, salt)), file);
  // The writer below notices a failure first.
  ended.catch(() => {});
  const checksum = createHash('sha256');
  const put = async (kind: typeof recordFrame | typeof dataFrame, payload: Buffer) => {
    const bytes = frame(kind, payload);
    checksum.update(bytes);
    if (!source.write(bytes)) await Promise.race([once(source, 'drain'), ended]);
  };
  try {
    await write({
      record: (value) => put(recordFrame, Buffer.from(JSON.stringify(value))),
      data: (chunk) => put(dataFrame, chunk),
    });
    const end = { kind: 'checksum', sha256: checksum.digest('hex') };
    source.end(frame(recordFrame, Buffer.from(JSON.stringify(end))));
    await ended;
    await link(partial, path);
    await flushFolder(dirname(path));
    return (await stat(path)).size;
  } catch (error) {
    source.destroy();
    throw error;
  } finally {
    await ended.catch(() => {});
    await rm(partial, { force: true });
  }
}

/** Makes the new name of a file durable. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
