import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { dataFrame, frameHeadBytes, maxPayloadBytes, readFirstLine } from './frames.ts';
import { createOpener, deriveArchiveKey, WrongArchiveKey } from './seal-stream.ts';

/** A file is not an archive of this program, or not a complete one, or needs a key. */
export class ArchiveProblem extends Error {
  override name = 'ArchiveProblem';
}

export type ArchivePart =
  | { data: Buffer }
  // biome-ignore lint/suspicious/noExplicitAny: the writer of a record knows its shape
  | { record: any };

/**
 * Reads the records and bytes of an archive in their order, and verifies the checksum at the end.
 *
 * @param secret the content of the key file, for an encrypted archive
 * @param onBytes is called with how much of the file has been read
 * @throws ArchiveProblem; WrongArchiveKey
 */
export async function* readArchive(
  path: string,
  secret: string | undefined,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<ArchivePart> {
  const file = await open(path).catch((error: Error) => {
    throw new ArchiveProblem(`${path} cannot be read: ${error.message}`);
  });
  try {
    const { start, key } = await readStart(file, path, secret);
    const bytes = file.createReadStream({ start, autoClose: false });
    let done = start;
    const count = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        done += chunk.length;
        onBytes(done);
        yield chunk;
      }
    };
    const plain = new PassThrough();
    const ended = key
      ? pipeline(bytes, count, createOpener(key), createGunzip(), plain)
      : pipeline(bytes, count, createGunzip(), plain);
    // The reader of the parts gets the failure.
    ended.catch(() => {});
    yield* verified(plain, path);
  } finally {
    await file.close();
  }
}

async function readStart(file: FileHandle, path: string, secret: string | undefined) {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
  const line = buffer.subarray(0, bytesRead).toString('latin1').split('\n', 1)[0]!;
  const read = readFirstLine(line);
  if (!read) throw new ArchiveProblem(`${path} is not a file of Parley, or of a newer version.`);
  if (read.salt && secret === undefined) {
    throw new ArchiveProblem(`${path} is encrypted. Name its key: --key-file.`);
  }
  const key = read.salt && deriveArchiveKey(secret!, read.salt);
  return { start: line.length + 1, key };
}

async function* verified(plain: Readable, path: string): AsyncGenerator<ArchivePart> {
  const checksum = createHash('sha256');
  let claimed: string | undefined;
  try {
    for await (const { kind, payload, bytes } of frames(plain)) {
      if (claimed) throw new Error('something follows its end');
      const record = kind === dataFrame ? undefined : JSON.parse(payload.toString());
      if (record?.kind === 'checksum') {
        claimed = record.sha256;
        continue;
      }
      checksum.update(bytes);
      yield record === undefined ? { data: payload } : { record };
    }
  } catch (error) {
    if (error instanceof WrongArchiveKey) throw error;
    const { message } = error as Error;
    throw new ArchiveProblem(`${path} is damaged or not complete: ${message}.`, { cause: error });
  }
  if (claimed !== checksum.digest('hex')) {
    throw new ArchiveProblem(`${path} is damaged or not complete: its checksum does not match.`);
  }
}

async function* frames(plain: Readable) {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of plain) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    while (held.length >= frameHeadBytes) {
      const length = held.readUInt32BE(1);
      if (length > maxPayloadBytes) throw new Error('a part of it is too long');
      const end = frameHeadBytes + length;
      if (held.length < end) break;
      const bytes = held.subarray(0, end);
      yield { kind: bytes[0], payload: bytes.subarray(frameHeadBytes), bytes };
      held = held.subarray(end);
    }
  }
  if (held.length > 0) throw new Error('it ends in the middle of a part');
}
