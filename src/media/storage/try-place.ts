import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { download } from './download.ts';
import type { Place } from './place.ts';

/**
 * Tries everything that a place is for with a small file, which is removed.
 *
 * @param folder a folder of this machine for the file on its way
 * @throws if anything does not work
 */
export async function tryPlace(place: Place, folder: string): Promise<void> {
  const key = `parley-check/${randomUUID()}`;
  const bytes = randomBytes(1_000);
  await place.put(key, await download(folder, Readable.from([bytes])));
  try {
    const part = await place.open(key, { first: 10, last: 499 });
    if (!part) throw new Error('A file that was just stored is missing.');
    if (!Buffer.concat(await part.toArray()).equals(bytes.subarray(10, 500))) {
      throw new Error('A range of a file has other bytes than were stored.');
    }
  } finally {
    await place.remove(key);
  }
  if (await place.open(key, undefined)) throw new Error('A file that was removed is still there.');
}
