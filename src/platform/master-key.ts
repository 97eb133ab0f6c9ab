import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The file of the master key cannot be used; `message` says which it is, and why. */
export class MasterKeyProblem extends Error {
  override name = 'MasterKeyProblem';
}

/**
 * The master key that the settings give, else the one kept in the data folder, made at first use.
 * Processes that start together end with the same key: the first to put the file there wins.
 *
 * @returns 32 bytes
 * @throws MasterKeyProblem
 */
export async function loadMasterKey(dataDir: string, configured?: Buffer): Promise<Buffer> {
  if (configured) return configured;
  const path = join(dataDir, 'master-key');
  const kept = await readKept(path);
  if (kept) return kept;

  await mkdir(dataDir, { recursive: true });
  const own = `${path}.${process.pid}`;
  // On the disk before anything is sealed with it: a power cut must not leave an empty file.
  await writeFile(own, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true });
  await chmod(own, 0o600);
  await link(own, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(own);
  return (await readKept(path))!;
}

async function readKept(path: string): Promise<Buffer | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new MasterKeyProblem(`${path} cannot be read: ${error.message}.`, { cause: error });
  });
  if (text === undefined) return undefined;
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new MasterKeyProblem(`${path} does not hold a key of 32 bytes.`);
  return key;
}
