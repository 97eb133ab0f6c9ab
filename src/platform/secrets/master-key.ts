import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  link,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';

/** The master key file cannot be used. `message` has its path and the reason. */
export class MasterKeyProblem extends Error {
  override name = 'MasterKeyProblem';
}

/**
 * Parses master keys, separated by commas or line breaks: usually one, and two while it is changed. The first encrypts,
 * all decrypt.
 *
 * @returns 32 bytes each; undefined if the text is anything else
 */
export function parseMasterKeys(text: string): Buffer[] | undefined {
  const keys = text
    .trim()
    .split(/[\n,]/)
    .map((each) => Buffer.from(each, 'base64'));
  return keys.every((key) => key.length === 32) ? keys : undefined;
}

/** The contents of a file with master keys. */
export function formatMasterKeys(keys: Buffer[]): string {
  return keys.map((key) => `${key.toString('base64')}\n`).join('');
}

/**
 * Loads the master keys: the configured ones, otherwise those in the data folder. At first use, a key is created
 * there. Processes that start together get the same key, because the first one to put the file in place wins.
 *
 * @throws MasterKeyProblem
 */
export async function loadMasterKeys(dataDir: string, configured?: Buffer[]): Promise<Buffer[]> {
  const known = await findMasterKeys(dataDir, configured);
  if (known) return known;

  const path = masterKeyPath(dataDir);
  await mkdir(dataDir, { recursive: true });
  const own = await writeOwn(path, [newMasterKey()]);
  await link(own, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(own);
  return (await readStored(path))!;
}

/**
 * Finds the master keys: the configured ones, otherwise those in the data folder.
 *
 * @throws MasterKeyProblem
 */
export async function findMasterKeys(
  dataDir: string,
  configured?: Buffer[],
): Promise<Buffer[] | undefined> {
  return configured ?? (await readStored(masterKeyPath(dataDir)));
}

/** Replaces the keys in the data folder. After a power cut, the file has either the old ones or these. */
export async function replaceMasterKeys(dataDir: string, keys: Buffer[]): Promise<void> {
  const path = masterKeyPath(dataDir);
  const { uid, gid } = await stat(path);
  const own = await writeOwn(path, keys);
  // The service must be able to read it if root ran the command.
  await chown(own, uid, gid);
  await rename(own, path);
  const folder = await open(dataDir);
  await folder.sync().finally(() => folder.close());
}

export function masterKeyPath(dataDir: string): string {
  return join(dataDir, 'master-key');
}

export function newMasterKey(): Buffer {
  return randomBytes(32);
}

/** Flushes the file before anything is encrypted with its keys, so that a power cut cannot leave an empty one. */
async function writeOwn(path: string, keys: Buffer[]): Promise<string> {
  const own = `${path}.${process.pid}`;
  await writeFile(own, formatMasterKeys(keys), { mode: 0o600, flush: true });
  await chmod(own, 0o600);
  return own;
}

async function readStored(path: string): Promise<Buffer[] | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new MasterKeyProblem(`${path} cannot be read: ${error.message}.`, { cause: error });
  });
  if (text === undefined) return undefined;
  const keys = parseMasterKeys(text);
  if (!keys) throw new MasterKeyProblem(`${path} does not hold a key of 32 bytes.`);
  return keys;
}
