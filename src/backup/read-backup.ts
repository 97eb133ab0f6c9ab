import { type ArchivePart, ArchiveProblem, readArchive } from '../platform/archive/read-archive.ts';
import { createVault } from '../platform/secrets/crypto.ts';
import { parseMasterKeys } from '../platform/secrets/master-key.ts';
import {
  type BackupHeader,
  type EndRecord,
  type FileRecord,
  keyCheck,
  type TableRecord,
} from './format.ts';

export type BackupFile = {
  path: string;
  secret: string | undefined;
  onBytes?: (bytes: number) => void;
};

export type BackupPart = { data: Buffer } | { record: TableRecord | EndRecord };

export type OpenBackup = {
  header: BackupHeader;
  /** Those of the data folder, by path. */
  files: Map<string, string>;
  /** The tables. Fails at its end if the file is damaged. */
  parts: AsyncGenerator<BackupPart>;
  /** For a reader that stops before the end. */
  close(): Promise<unknown>;
};

/**
 * Opens a backup, and reads it to its first table.
 *
 * @throws ArchiveProblem; WrongArchiveKey
 */
export async function openBackup({ path, secret, onBytes }: BackupFile): Promise<OpenBackup> {
  const parts = readArchive(path, secret, onBytes);
  const close = () => parts.return(undefined);
  const { value: start } = await parts.next();
  if (!start || !('record' in start) || start.record.kind !== 'backup') {
    await close();
    throw new ArchiveProblem(`${path} is not a backup of an installation.`);
  }
  const files = new Map<string, string>();
  let { value: next } = await parts.next();
  while (next && 'record' in next && next.record.kind === 'file') {
    const { path: name, content } = next.record as FileRecord;
    files.set(name, content);
    ({ value: next } = await parts.next());
  }
  const first = next as BackupPart | undefined;
  return { header: start.record, files, parts: rest(first, parts), close };
}

async function* rest(
  first: BackupPart | undefined,
  parts: AsyncGenerator<ArchivePart>,
): AsyncGenerator<BackupPart> {
  if (first) yield first;
  yield* parts as AsyncGenerator<BackupPart>;
}

/** Whether one of the master keys is that of the installation that was backed up. */
export function isKeyOfBackup(masterKeys: Buffer[], { key_check }: BackupHeader): boolean {
  try {
    const sealed = Buffer.from(key_check, 'base64');
    return createVault(...masterKeys).open(sealed, keyCheck.context) === keyCheck.text;
  } catch {
    return false;
  }
}

/** The master keys in a backup, if it has them. */
export function keysIn(files: OpenBackup['files']): Buffer[] | undefined {
  const text = files.get('master-key');
  return text === undefined ? undefined : parseMasterKeys(text);
}
