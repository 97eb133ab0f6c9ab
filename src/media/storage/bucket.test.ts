import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { startBucket } from '../../../test/servers/bucket.ts';
import { readConfig } from '../../config.ts';
import { createBucket } from './bucket.ts';
import { download } from './download.ts';
import { createStorage } from './storage.ts';
import { tryPlace } from './try-place.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'bucket-'));
const server = await startBucket();
const config = readConfig({ ...server.settings, PARLEY_DATA_DIR: dataDir });
const storage = createStorage(config);
const file = { tenant_id: 7, message_id: -42, copy_id: 0 };
const contentOf = async (body: Readable | undefined) =>
  body && Buffer.concat(await body.toArray()).toString();

afterAll(async () => {
  await storage.close();
  server.close();
  await rm(dataDir, { recursive: true });
});

async function incoming(text: string) {
  return download(await storage.incoming.make(), Readable.from([Buffer.from(text)]));
}

test('a file is stored in the bucket, read whole and in part, and removed', async () => {
  await tryPlace(await storage.bucket(), await storage.incoming.make());
  const stored = await storage.put(file, await incoming('the content'));
  expect(stored).toEqual({ ...file, in_bucket: true });
  expect([...server.objects.keys()]).toEqual(['/files/7/message--42']);
  expect(await readdir(join(dataDir, 'media', 'incoming'))).toEqual([]);
  expect(await contentOf(await storage.open(stored, undefined))).toBe('the content');
  expect(await contentOf(await storage.open(stored, { first: 4, last: 6 }))).toBe('con');
  await storage.remove(stored);
  await storage.remove(stored);
  expect(await storage.open(stored, undefined)).toBeUndefined();
});

test('files in the data folder stay readable when there is a bucket, and those in a bucket need its settings', async () => {
  const folderOnly = createStorage({ ...config, mediaBucket: '' });
  const stored = await folderOnly.put(file, await incoming('older'));
  expect(stored.in_bucket).toBe(false);
  expect(await contentOf(await storage.open(stored, undefined))).toBe('older');
  await storage.remove(stored);
  expect(await storage.open(stored, undefined)).toBeUndefined();
  const elsewhere = { ...file, in_bucket: true };
  await expect(folderOnly.open(elsewhere, undefined)).rejects.toThrow('PARLEY_MEDIA_BUCKET');
});

test('processes that share the data folder agree on its id', async () => {
  const others = [1, 2, 3].map(() => createStorage(config).folderId);
  expect(await others[0]!.find()).toBeUndefined();
  const ids = await Promise.all(others.map((folderId) => folderId.make()));
  expect(new Set([...ids, await storage.folderId.find()]).size).toBe(1);
});

test('a server that refuses is named with its code, and never with the secret', async () => {
  const stranger = createBucket({ ...config, mediaBucketSecret: 'another secret' });
  const refused = await stranger.put('7/a', await incoming('x')).catch((error) => error.message);
  expect(refused).toBe('The bucket responded to PUT with 403 (SignatureDoesNotMatch).');
  await expect(stranger.open('7/a', undefined)).rejects.toThrow('GET with 403');
  await expect(stranger.remove('7/a')).rejects.toThrow('DELETE with 403');
  expect(server.objects.size).toBe(0);
  await stranger.close();
});

test('a bucket without its key, and an address that is none, are refused without showing a secret', () => {
  expect(() => readConfig({ PARLEY_MEDIA_BUCKET: 'https://a.example/b' })).toThrow(
    'PARLEY_MEDIA_BUCKET needs PARLEY_MEDIA_BUCKET_KEY_ID and PARLEY_MEDIA_BUCKET_SECRET',
  );
  expect(() => readConfig({ PARLEY_MEDIA_BUCKET: 'ftp://a' })).toThrow('must be an http');
});
