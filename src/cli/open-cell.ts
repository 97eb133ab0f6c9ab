import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { openDatabaseOf, openServices } from '../open-services.ts';
import { closeInOrder } from '../platform/concurrency/close-in-order.ts';
import type { Database } from '../platform/database/database.ts';
import { createLog } from '../platform/log.ts';
import { SchemaTooOld } from '../platform/migrating/migrate.ts';
import { findMasterKeys } from '../platform/secrets/master-key.ts';
import type { Services } from '../services.ts';
import { CommandError } from './command.ts';
import { refuseOtherKey } from './open-secrets-of.ts';

/** Opens another cell with the settings that its own services have. Its schema must be that of this program. */
export async function openCell(
  { cellsDir }: Config,
  name: string,
): Promise<{ services: Services; close(): Promise<void> }> {
  const { settings, config } = await readCell(cellsDir, name);
  const masterKeys = await keysOfCell(name, settings, config);
  const opened = await openServices({ ...config, masterKeys }, { migrates: false }).catch(
    (error) => {
      throw error instanceof SchemaTooOld ? new CommandError(`${name}: ${error.message}`) : error;
    },
  );
  try {
    await refuseOtherKey(opened.services);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}

/** Opens the database of another cell as it is: during an upgrade, its schema may be older or newer. */
export async function openCellDatabase(
  { cellsDir }: Config,
  name: string,
): Promise<{ db: Database; close(): Promise<void> }> {
  const { settings, config } = await readCell(cellsDir, name);
  refuseWithoutDatabase(name, settings, config);
  const log = createLog(config.logLevel);
  const { db, steps } = await openDatabaseOf(config, log);
  return { db, close: () => closeInOrder(steps, log) };
}

/** Lists the cells that have a file in the folder of the cells. */
export async function listCells(cellsDir: string): Promise<string[]> {
  if (cellsDir === '') throw new CommandError('Set PARLEY_CELLS_DIR to the folder of the cells.');
  const files = await readdir(cellsDir).catch((error: Error) => {
    throw new CommandError(`PARLEY_CELLS_DIR cannot be read: ${error.message}`);
  });
  const settings = files.filter((file) => file.endsWith('.env'));
  return settings.map((file) => file.slice(0, -4)).sort();
}

async function readCell(cellsDir: string, name: string) {
  const known = await listCells(cellsDir);
  if (!known.includes(name)) {
    throw new CommandError(
      `There is no cell "${name}" in ${cellsDir}. It has: ${known.join(', ') || 'none'}.`,
    );
  }
  const settings = parseEnv(await readFile(join(cellsDir, `${name}.env`), 'utf8'));
  const config = readConfig(settings, { logLevel: 'warn' });
  if (config.cell !== name) {
    throw new CommandError(
      `${name}.env is for the cell "${config.cell}" (PARLEY_CELL), not ${name}.`,
    );
  }
  return { settings, config };
}

/** The data folder counts only if the cell's file names it, because the default one is that of this command. */
function refuseWithoutDatabase(
  name: string,
  { PARLEY_DATA_DIR }: NodeJS.Dict<string>,
  { databaseUrl }: Config,
): void {
  if (databaseUrl || PARLEY_DATA_DIR) return;
  throw new CommandError(
    `${name}.env has no DATABASE_URL, and no PARLEY_DATA_DIR with a database.`,
  );
}

/**
 * Finds the master keys of a cell. A key is never created.
 *
 * @throws CommandError if the file does not say where the cell's database and key are
 */
async function keysOfCell(
  name: string,
  settings: NodeJS.Dict<string>,
  config: Config,
): Promise<Buffer[]> {
  refuseWithoutDatabase(name, settings, config);
  const { dataDir, masterKeys } = config;
  const hasFolder = Boolean(settings.PARLEY_DATA_DIR);
  const keys = masterKeys ?? (hasFolder ? await findMasterKeys(dataDir) : undefined);
  if (keys) return keys;
  const folder = hasFolder ? `no \`master-key\` in ${dataDir}` : 'no PARLEY_DATA_DIR';
  throw new CommandError(`${name}.env has no PARLEY_MASTER_KEY, and ${folder}.`);
}
