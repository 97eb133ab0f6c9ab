import { access, constants, mkdir, statfs } from 'node:fs/promises';
import type { Config } from '../../config.ts';
import { errorLine } from '../command.ts';
import type { Check } from './check.ts';

/** As for the alert `ParleyDiskFull`. PostgreSQL's write-ahead log alone takes up to half of it. */
const minFreeBytes = 1e9;

/** Checks that this user can write the data folder, and that its disk has some room. */
export async function checkDataDir({ dataDir }: Config): Promise<Check> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
    const { bavail, bsize } = await statfs(dataDir);
    return describeRoom(dataDir, bavail * bsize);
  } catch (error) {
    const fix =
      'Run this as the owner of the folder, or set PARLEY_DATA_DIR to one that this user can write.';
    return { name: 'data', ok: false, found: errorLine(error), fix };
  }
}

/** @param freeBytes the free space on the disk of the data folder */
export function describeRoom(dataDir: string, freeBytes: number): Check {
  return {
    name: 'data',
    ok: freeBytes >= minFreeBytes,
    found: `${dataDir}, ${(freeBytes / 1e9).toFixed(1)} GB free`,
    fix: 'Make room on its disk: see "If the disk is full" in docs/operating.md.',
  };
}
