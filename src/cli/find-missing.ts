import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';

/**
 * Finds what a command would create, because the installation of the settings does not have it: the embedded database or
 * the master key. With other settings than the service, a command would work with a new, empty database, and a backup of
 * that looks like a success.
 */
export async function findMissing({
  dataDir,
  databaseUrl,
  masterKeys,
  masterKeyLost,
}: Config): Promise<{ name: string; found: string; fix: string } | undefined> {
  const found = (name: string) => `There is no ${name} in ${dataDir}.`;
  const fix = (other: string) => `Set PARLEY_DATA_DIR or ${other} as for the service.`;
  if (!databaseUrl && !(await exists(join(dataDir, 'postgres')))) {
    return { name: 'database', found: found('database'), fix: fix('DATABASE_URL') };
  }
  if (!masterKeys && !masterKeyLost && !(await exists(join(dataDir, 'master-key')))) {
    return { name: 'master key', found: found('master key'), fix: fix('PARLEY_MASTER_KEY') };
  }
  return undefined;
}

/** Whether a path exists. One that this user cannot reach counts, because its use reports the reason. */
function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
}
