import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The master key file cannot be used. `message` has its path and the reason. */
export class MasterKeyProblem extends Error {
  override name = 'MasterKeyProblem';
}

/**
 * Loads the master key: the configured one, otherwise the one in the data folder, which is created at first
 * use. Processes that start together get the same key, because the first one to put the file in place wins.
 *
 * @returns 32 bytes
 * @throws MasterKeyProblem
 */
export async function loadMasterKey(dataDir: string, configured?: Buffer): Promise<Buffer> {
  const known = await findMasterKey(dataDir, configured);
  if (known) return known;

  const path = join(dataDir, 'master-key');
  await mkdir(dataDir, { recursive: true });
  const own = `${path}.${process.pid}`;
  // Flushed before anything is encrypted with it, so that a power cut cannot leave an empty file.
  await writeFile(own, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  await chmod(own, 0o600);
  await link(own, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(own);
  return (await readStored(path))!;
}

/**
 * Finds the master key: the configured one, otherwise the one in the data folder.
 *
 * @throws MasterKeyProblem
 */
export async function findMasterKey(
  dataDir: string,
  configured?: Buffer,
): Promise<Buffer | undefined> {
  return configured ?? (await readStored(join(dataDir, 'master-key')));
}

async function readStored(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new MasterKeyProblem(`${path} cannot be read: ${error.message}.`, { cause: error });
  });
  if (text === undefined) return undefined;
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new MasterKeyProblem(`${path} does not hold a key of 32 bytes.`);
  return key;
}
