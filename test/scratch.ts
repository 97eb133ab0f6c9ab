import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A new folder for a database of a test: in memory where there is room, else on disk. A cluster is
 * a thousand files and each database of it three hundred, which a disk feels; a run takes 200 MB
 * for what all files share and 60 MB for each cluster that a test starts.
 */
export async function makeScratchFolder(prefix: string): Promise<string> {
  const memory = '/dev/shm';
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return mkdtemp(join(bavail * bsize >= 2 ** 30 ? memory : tmpdir(), prefix));
}
