import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readConfig } from '../src/config.ts';
import { createBucket } from '../src/media/storage/bucket.ts';
import { download } from '../src/media/storage/download.ts';
import { tryPlace } from '../src/media/storage/try-place.ts';

/** Tries the bucket of the settings: small and large files, ranges, wrong secrets, and bytes with another hash. */
const config = readConfig();
if (!config.mediaBucket) throw new Error('Set PARLEY_MEDIA_BUCKET and its key.');
const folder = await mkdtemp(join(tmpdir(), 'check-bucket-'));
const bucket = createBucket(config);
const megabyte = 1024 * 1024;
const key = 'parley-check/large';

async function* largeFile() {
  for (let part = 0; part < 100; part++) yield Buffer.alloc(megabyte, part);
}

async function refusal(what: Promise<unknown>): Promise<string> {
  return what.then(
    () => {
      throw new Error('The server accepted what it must refuse.');
    },
    (error: Error) => error.message,
  );
}

try {
  await tryPlace(bucket, folder);
  console.log('A small file, a range of it, and its removal: ok');

  const before = process.memoryUsage().rss;
  await bucket.put(key, await download(folder, Readable.from(largeFile())));
  let bytes = 0;
  for await (const chunk of (await bucket.open(key, undefined))!) bytes += chunk.length;
  if (bytes !== 100 * megabyte) throw new Error(`The file has ${bytes} bytes.`);
  const part = { first: 42 * megabyte - 1, last: 42 * megabyte };
  const range = Buffer.concat(await (await bucket.open(key, part))!.toArray());
  if (!range.equals(Buffer.from([41, 42]))) throw new Error('A range has other bytes.');
  const grown = Math.round((process.memoryUsage().rss - before) / megabyte);
  console.log(`A file of 100 MB there and back: ok, with ${grown} MB more memory`);

  const small = await download(folder, Readable.from([Buffer.from('bytes')]));
  const damaged = await open(small.path, 'r+');
  await damaged.write('other');
  await damaged.close();
  console.log('Other bytes than the hash says:', await refusal(bucket.put(key, small)));
  const stranger = createBucket({ ...config, mediaBucketSecret: 'wrong' });
  console.log('A wrong secret:', await refusal(stranger.open(key, undefined)));
  await stranger.close();
  await bucket.remove(key);
  await bucket.remove(key);
  console.log('The removal of a file that is not there: ok');
} finally {
  await bucket.close();
  await rm(folder, { recursive: true });
}
