import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type pg from 'pg';
import { ArchiveProblem } from '../../platform/archive/read-archive.ts';
import type { Database } from '../../platform/database/database.ts';
import { migrate, readMigrations } from '../../platform/migrating/migrate.ts';
import { isServed } from '../../platform/migrating/schema-version.ts';
import { findMasterKeys } from '../../platform/secrets/master-key.ts';
import { timeInName } from '../../platform/values/time-in-name.ts';
import { total } from '../compare-rows.ts';
import type { BackupHeader } from '../format.ts';
import { type BackupFile, isKeyOfBackup, keysIn, openBackup } from '../read-backup.ts';
import { setSequences, skippedIds } from '../set-sequences.ts';
import { type SettledWork, settleUncertainWork } from '../settle-uncertain-work.ts';
import { findUsedTable, restoreTables } from './restore-tables.ts';

/** The database or the master key is not one that the backup can be restored to. Nothing was changed. */
export class RestoreRefused extends Error {
  override name = 'RestoreRefused';
}

export type Restored = {
  header: BackupHeader;
  rows: number;
  /** Undefined if the installation did nothing after the backup. */
  settled: SettledWork | undefined;
  files: WrittenFiles;
};

/** Paths in the data folder. */
export type WrittenFiles = {
  written: string[];
  /** The names that files with other contents have now. */
  replaced: string[];
};

/**
 * Restores a backup into a database without tenants, in one transaction: after a failure it still has none. The keys in
 * the backup replace those that a first start created, which nothing uses yet.
 *
 * @param masterKeys those of the settings, which count more than those in the data folder
 * @param isKeyLost whether to go without the right key
 * @param cell the name of this installation; empty if it has none
 * @param onCommit is called when everything is written and about to be committed
 * @param isStopped whether the installation did nothing after the backup, so that waiting work goes on
 * @throws RestoreRefused; ArchiveProblem; WrongArchiveKey
 */
export async function restore(
  db: Database,
  given: {
    file: BackupFile;
    dataDir: string;
    masterKeys: Buffer[] | undefined;
    isKeyLost: boolean;
    isStopped: boolean;
    cell: string;
    onCommit?: () => void;
  },
): Promise<Restored> {
  const { header, files, parts, close } = await openBackup(given.file);
  try {
    checkCell(given.cell, header);
    if (given.isStopped) refuseServed(header);
    await checkKey(given, header, keysIn(files));
    await prepareSchema(db.pool, header);
    const client = await db.connect();
    try {
      await client.query('begin');
      await refuseProcesses(client);
      await refuseRows(client);
      const end = await restoreTables(client, given.file.path, parts);
      await setSequences(client, end.sequences, given.isStopped ? 0 : skippedIds);
      const settled = given.isStopped ? undefined : await settleUncertainWork(client);
      const inDataDir = await writeFiles(given.dataDir, files);
      given.onCommit?.();
      await client.query('commit');
      await migrate(db.pool);
      return { header, rows: total(end.rows), settled, files: inDataDir };
    } finally {
      // Without a commit, everything is rolled back.
      await client.end();
    }
  } finally {
    await close();
  }
}

/** Brings an empty database to the schema of the backup. */
async function prepareSchema(pool: pg.Pool, { migrations, version }: BackupHeader): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]));
  const unknown = migrations.find(({ name, checksum }) => known.get(name) !== checksum);
  if (unknown) {
    throw new RestoreRefused(
      `This version of Parley does not know the schema of the backup (${unknown.name}). Restore it with the newest version that the backed-up installation was used with, which can be newer than the one that wrote the backup (${version}).`,
    );
  }
  const only = new Set(migrations.map(({ name }) => name));
  await migrate(pool, undefined, { only });
  const { rows } = await pool.query<{ name: string }>('select name from migrations order by name');
  const newer = rows.find(({ name }) => !only.has(name));
  if (!newer) return;
  throw new RestoreRefused(
    `The database has the schema of a newer version than the backup (${newer.name}). Use a new, empty database, which gets the newest schema after the restore: move the folder \`postgres\` of the data folder away, or name a new database in DATABASE_URL.`,
  );
}

/** @throws RestoreRefused while a process serves with the database */
export async function refuseProcesses(client: pg.ClientBase): Promise<void> {
  if (!(await isServed(client))) return;
  throw new RestoreRefused('Parley serves with this database. Stop it first.');
}

async function refuseRows(client: pg.ClientBase): Promise<void> {
  const used = await findUsedTable(client);
  if (used === undefined) return;
  throw new RestoreRefused(
    `The database is not empty: ${used} has rows. Use a new, empty database: move the folder \`postgres\` of the data folder away, or name a new database in DATABASE_URL.`,
  );
}

function checkCell(cell: string, header: BackupHeader): void {
  if (cell === '' || header.cell === '' || cell === header.cell) return;
  throw new RestoreRefused(
    `This is a backup of the cell "${header.cell}", and PARLEY_CELL is "${cell}". Set it to ${header.cell}, or use the backup of ${cell}.`,
  );
}

function refuseServed({ served }: BackupHeader): void {
  if (!served) return;
  throw new RestoreRefused(
    'Parley served while this backup was written, so what it received and sent afterwards is missing. Restore without --stopped. For a move, stop Parley and back up again.',
  );
}

/** @param inFile will be the keys in the data folder */
async function checkKey(
  given: { dataDir: string; masterKeys: Buffer[] | undefined; isKeyLost: boolean },
  header: BackupHeader,
  inFile: Buffer[] | undefined,
): Promise<void> {
  if (given.isKeyLost) return;
  const keys = given.masterKeys ?? inFile ?? (await findMasterKeys(given.dataDir));
  if (keys && isKeyOfBackup(keys, header)) return;
  const found = keys ? 'another one is in use' : 'there is none';
  throw new RestoreRefused(
    `The backup needs the master key of its installation, and ${found}. Put the right key into \`master-key\` in the data folder, or into PARLEY_MASTER_KEY. If it is lost, set PARLEY_MASTER_KEY_LOST=yes: everything is restored, but access tokens and secrets must be set again.`,
  );
}

/** Puts files into the data folder. Files with other contents get another name. */
async function writeFiles(dataDir: string, files: Map<string, string>): Promise<WrittenFiles> {
  const done: WrittenFiles = { written: [], replaced: [] };
  const suffix = `.before-${timeInName()}`;
  for (const [path, content] of files) {
    if (path !== 'master-key' && !/^tls\/[a-z-]+\.pem$/.test(path)) {
      throw new ArchiveProblem(`The backup has a file ${path}, which belongs to no data folder.`);
    }
    const target = join(dataDir, path);
    const found = await readFile(target, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    if (found === content) continue;
    if (found !== undefined) {
      await rename(target, `${target}${suffix}`);
      done.replaced.push(`${path}${suffix}`);
    }
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content, { mode: 0o600, flag: 'wx', flush: true });
    done.written.push(path);
  }
  return done;
}
