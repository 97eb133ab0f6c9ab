import { compareRows } from './compare-rows.ts';
import type { BackupHeader, EndRecord } from './format.ts';
import { type BackupFile, isKeyOfBackup, keysIn, openBackup } from './read-backup.ts';

export type CheckedBackup = {
  header: BackupHeader;
  rows: Record<string, number>;
  /** Whether the file contains the master key and the certificates. */
  hasKeys: boolean;
  /** Whether the master key fits; undefined without one. */
  fits: boolean | undefined;
};

const newLine = '\n'.charCodeAt(0);

/**
 * Reads a backup to its end: its encryption, its checksum, the number of rows of each table, and whether the master
 * key is the right one.
 *
 * @param masterKeys those of this installation, if there are any
 * @throws ArchiveProblem; WrongArchiveKey
 */
export async function checkBackup(
  file: BackupFile,
  masterKeys: Buffer[] | undefined,
): Promise<CheckedBackup> {
  const { header, files, parts } = await openBackup(file);
  const rows: Record<string, number> = {};
  let table = '';
  let end: EndRecord | undefined;
  for await (const part of parts) {
    if ('data' in part) {
      rows[table]! += countLines(part.data);
    } else if (part.record.kind === 'table') {
      table = part.record.name;
      rows[table] = 0;
    } else {
      end = part.record;
    }
  }
  compareRows(file.path, rows, end);
  const keys = keysIn(files) ?? masterKeys;
  return { header, rows, hasKeys: files.size > 0, fits: keys && isKeyOfBackup(keys, header) };
}

/** In the text format of COPY, a line break within a value is escaped. */
function countLines(data: Buffer): number {
  let count = 0;
  for (let at = data.indexOf(newLine); at >= 0; at = data.indexOf(newLine, at + 1)) count++;
  return count;
}
