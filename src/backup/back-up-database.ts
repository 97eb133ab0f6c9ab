import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import about from '../../package.json' with { type: 'json' };
import { type ArchiveWriter, writeArchive } from '../platform/archive/write-archive.ts';
import { isServed } from '../platform/migrating/schema-version.ts';
import { formatMasterKeys } from '../platform/secrets/master-key.ts';
import type { Services } from '../services.ts';
import { total } from './compare-rows.ts';
import {
  type BackupHeader,
  type EndRecord,
  type FileRecord,
  keyCheck,
  notBackedUp,
  type TableRecord,
} from './format.ts';
import { appliedMigrations, beginSnapshot, sequencesOf } from './snapshot.ts';
import { copyOut } from './tables/copy-rows.ts';
import type { Table } from './tables/describe-tables.ts';

export type BackedUp = { bytes: number; tables: number; rows: number };

/**
 * Writes the rows of all tables to a file, as they are at one moment, while the service runs. The schema is not part of
 * it: the file names the migrations that create it. So a backup can be restored on any server, embedded or not.
 *
 * @param secret encrypts the file
 * @param masterKeys become part of the file, with the certificates of the data folder
 * @param onRows is called with the number of rows so far
 */
export async function backUp(
  { db, vault, config }: Services,
  given: {
    path: string;
    secret: string | undefined;
    masterKeys: Buffer[] | undefined;
    onRows?: (rows: number) => void;
  },
): Promise<BackedUp> {
  const client = await db.connect();
  const rows: EndRecord['rows'] = {};
  try {
    const tables = (await beginSnapshot(client)).filter(
      ({ name }) => !Object.hasOwn(notBackedUp, name),
    );
    // The end of a long file may be compressed and written to the disk while the connection is idle.
    await client.query('set local idle_in_transaction_session_timeout = 0');
    const header: BackupHeader = {
      kind: 'backup',
      version: about.version,
      created_at: new Date().toISOString(),
      cell: config.cell,
      served: await isServed(client),
      migrations: await appliedMigrations(client),
      key_check: vault.seal(keyCheck.text, keyCheck.context).toString('base64'),
    };
    const bytes = await writeArchive(given.path, given.secret, async (archive) => {
      await archive.record(header);
      const files = given.masterKeys ? await keyFiles(config.dataDir, given.masterKeys) : [];
      for (const file of files) await archive.record(file);
      for (const table of tables) {
        rows[table.name] = await writeTable(client, archive, table);
        given.onRows?.(total(rows));
      }
      const sequences = await sequencesOf(client);
      await archive.record({ kind: 'end', rows, sequences } satisfies EndRecord);
    });
    await client.query('commit');
    return { bytes, tables: tables.length, rows: total(rows) };
  } finally {
    await client.end();
  }
}

async function writeTable(
  client: pg.ClientBase,
  archive: ArchiveWriter,
  { name, columns }: Table,
): Promise<number> {
  await archive.record({ kind: 'table', name, columns } satisfies TableRecord);
  return copyOut(client, `${name} (${columns.join(', ')})`, archive.data);
}

/** The files of the data folder that cannot be created again: the key, and the authority that clients trust. */
async function keyFiles(dataDir: string, masterKeys: Buffer[]): Promise<FileRecord[]> {
  const files: FileRecord[] = [
    { kind: 'file', path: 'master-key', content: formatMasterKeys(masterKeys) },
  ];
  const names = await readdir(join(dataDir, 'tls')).catch(() => []);
  for (const name of names.filter((each) => each.endsWith('.pem')).sort()) {
    const content = await readFile(join(dataDir, 'tls', name), 'utf8');
    files.push({ kind: 'file', path: `tls/${name}`, content });
  }
  return files;
}
