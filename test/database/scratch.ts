import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a folder for a database of a test: in memory if there is room, otherwise on disk. A cluster has a
 * thousand files and each of its databases three hundred, which is slow on a disk. A run uses 200 MB for all
 * files together and 60 MB for each cluster that a test starts.
 */
export async function makeScratchFolder(prefix: string): Promise<string> {
  const memory = '/dev/shm';
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return mkdtemp(join(bavail * bsize >= 2 ** 30 ? memory : tmpdir(), prefix));
}
