import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { openServices } from '../open-services.ts';
import type { Services } from '../services.ts';
import { CommandError } from './command.ts';
import { refuseOtherKey } from './open-secrets-of.ts';

/** Opens another cell with the settings that its own services have. Its schema must be that of this program. */
export async function openCell(
  { cellsDir }: Config,
  name: string,
): Promise<{ services: Services; close(): Promise<void> }> {
  if (cellsDir === '') throw new CommandError('Set PARLEY_CELLS_DIR to the folder of the cells.');
  const files = await readdir(cellsDir).catch((error: Error) => {
    throw new CommandError(`PARLEY_CELLS_DIR cannot be read: ${error.message}`);
  });
  const known = files.filter((file) => file.endsWith('.env')).map((file) => file.slice(0, -4));
  if (!known.includes(name)) {
    throw new CommandError(
      `There is no cell "${name}" in ${cellsDir}. It has: ${known.sort().join(', ') || 'none'}.`,
    );
  }
  const settings = parseEnv(await readFile(join(cellsDir, `${name}.env`), 'utf8'));
  const config = readConfig(settings, { logLevel: 'warn' });
  if (config.cell !== name) {
    throw new CommandError(
      `${name}.env is for the cell "${config.cell}" (PARLEY_CELL), not ${name}.`,
    );
  }
  const opened = await openServices(config, { migrates: false });
  try {
    await refuseOtherKey(opened.services);
  } catch (error) {
    await opened.close();
    throw error;
  }
  return opened;
}
