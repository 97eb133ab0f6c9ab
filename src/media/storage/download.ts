import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { NewFile } from './place.ts';

/**
 * Writes a stream into a new file of a folder, and makes it durable. The stream is read no faster than the disk takes
 * it, and nothing is held in memory.
 *
 * @throws if the stream or the disk fails; then there is no file
 */
export async function download(folder: string, body: Readable): Promise<NewFile> {
  const path = join(folder, randomUUID());
  const hash = createHash('sha256');
  let size = 0;
  async function* measured() {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(measured());
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    body.destroy();
    await rm(path, { force: true });
    throw error;
  }
  return { path, size, sha256: hash.digest() };
}
