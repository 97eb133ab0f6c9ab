import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { backUp } from '../../../backup/back-up-database.ts';
import { type CheckedBackup, checkBackup } from '../../../backup/check-backup.ts';
import { estimateRows } from '../../../backup/estimate-rows.ts';
import type { Config } from '../../../config.ts';
import { findMasterKeys } from '../../../platform/secrets/master-key.ts';
import { timeInName } from '../../../platform/values/time-in-name.ts';
import { listTenants } from '../../../tenants/queries.ts';
import { CommandError, commandConfig, print, readSecretFile, withServices } from '../../command.ts';
import { catchInterrupts, orInterrupted } from '../../interrupts.ts';
import { refuseOtherKey } from '../../open-secrets-of.ts';
import { startProgress } from '../../progress.ts';

type BackupOptions = { to?: string; keyFile?: string; includeKeys?: boolean };

const maxIdleMs = 24 * 3_600_000;

export function backupCommand(program: Command): void {
  const backup = withServices(
    program
      .command('backup')
      .description('Back up the database to a file, while the service runs.')
      .option('--to <path>', 'the new file, or a folder')
      .option('--key-file <path>', 'encrypt the file with the content of this one; - for stdin')
      .option('--include-keys', 'also the master key and the certificates; needs --key-file'),
    async (services, { to, keyFile, includeKeys }: BackupOptions) => {
      if (!to) throw new CommandError('Name the file: --to.');
      if (includeKeys && !keyFile) {
        throw new CommandError(
          '--include-keys needs --key-file, because the keys open everything.',
        );
      }
      await refuseOtherKey(services);
      const { dataDir, masterKeys } = services.config;
      const tenants = (await listTenants(services.db)).length;
      if (tenants === 0) throw noTenants(services.config);
      const secret = keyFile === undefined ? undefined : await readSecretFile(keyFile);
      const path = await fileFor(to);
      const progress = startProgress(await estimateRows(services.db));
      const { bytes, tables, rows } = await backUp(services, {
        path,
        secret,
        masterKeys: includeKeys ? await findMasterKeys(dataDir, masterKeys) : undefined,
        onRows: (done) => progress?.update(done),
      }).finally(() => progress?.stop());
      const content = `${tenants} tenants of ${sourceOf(services.config)}, ${tables} tables, ${rows} rows, ${megabytes(bytes)} MB`;
      const note = includeKeys ? '' : ' It does not contain the master key, which a restore needs.';
      const json = { path, bytes, tenants, tables, rows, encrypted: secret !== undefined };
      return { json, text: `Wrote ${path}: ${content}.${note}` };
    },
    {
      onOldSchema: ({ isNew }) =>
        isNew
          ? noTenants(commandConfig())
          : new CommandError(
              'The database has the schema of an earlier version of Parley, and a backup does not migrate it. Back it up with the program of that version.',
            ),
    },
  );

  // Needs no database, so that it also works where there is none.
  const check = backup
    .command('check')
    .description('Read a backup to its end: checksum, number of rows, and the master key.')
    .argument('<file>')
    .option('--key-file <path>', 'what the file was encrypted with; - for standard input')
    .option('--json', 'print one JSON object and nothing else');
  check.action(async (path: string) => {
    const { keyFile, json } = check.optsWithGlobals<{ keyFile?: string; json?: boolean }>();
    const secret = keyFile === undefined ? undefined : await readSecretFile(keyFile);
    const { dataDir, masterKeys } = commandConfig();
    const progress = startProgress(await sizeOf(path));
    const onBytes = (done: number) => progress?.update(done);
    const { interrupted, end } = catchInterrupts();
    const checking = checkBackup(
      { path, secret, onBytes },
      await findMasterKeys(dataDir, masterKeys),
    );
    const checked = await orInterrupted(checking, interrupted).finally(async () => {
      progress?.stop();
      await end(Promise.resolve());
    });
    const { header, rows, hasKeys, fits } = checked;
    const { version, created_at, migrations } = header;
    const schema = migrations.at(-1)?.name;
    const about = { path, version, created_at, schema, rows, has_keys: hasKeys };
    print(
      { json: { ...about, master_key_fits: fits ?? null }, text: describe(path, checked) },
      json,
    );
    if (fits === false) process.exitCode = 1;
  });
}

function sourceOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl ? 'DATABASE_URL' : dataDir;
}

function noTenants(config: Config): CommandError {
  return new CommandError(
    `The database of ${sourceOf(config)} has no tenants, so there is nothing to back up. Are the settings those of the service?`,
  );
}

/** The size of a file, and 0 if it cannot be read, which its reader reports. */
export async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

/** A folder gets a file with the time in its name. */
async function fileFor(to: string): Promise<string> {
  const found = await stat(to).catch(() => undefined);
  if (found?.isDirectory()) {
    await discardUnfinished(to);
    return join(to, `parley-${timeInName()}.backup`);
  }
  // A file of this name would be in the way of the next backup.
  if (to.endsWith('/')) throw new CommandError(`There is no folder ${to}.`);
  return newFile(to);
}

/** Removes backups that a killed process left behind: nothing has been written to them for a day. */
async function discardUnfinished(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^parley-[\w-]+\.backup\.\d+\.part$/.test(name)) continue;
    const path = join(folder, name);
    // Another backup may have finished or removed it meanwhile.
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < Date.now() - maxIdleMs) await rm(path, { force: true });
  }
}

/** Returns the path of a file that does not exist yet. */
export async function newFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found) throw new CommandError(`${path} exists already.`);
  return path;
}

function describe(path: string, { header, rows, hasKeys, fits }: CheckedBackup): string {
  const total = Object.values(rows).reduce((sum, each) => sum + each, 0);
  const key =
    fits === undefined
      ? 'not checked, because there is none here'
      : fits
        ? 'fits'
        : 'does NOT fit: a restore needs the one of the backed-up installation';
  return [
    `${path} is complete.`,
    `written     ${header.created_at} by Parley ${header.version}`,
    `schema      ${header.migrations.at(-1)?.name}`,
    `rows        ${total} in ${Object.keys(rows).length} tables: ${rows.tenants} tenants, ${rows.contacts} contacts, ${rows.messages} messages`,
    `master key  ${key}${hasKeys ? '; it is in the file' : ''}`,
  ].join('\n');
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
