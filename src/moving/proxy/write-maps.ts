import type { Db } from '../../platform/database/database.ts';
import { MoveRefused } from '../move-session.ts';
import { listAddresses, listArrived, listSlugs } from './cell-map.ts';
import { lockMaps } from './lock-maps.ts';
import { mapsIn, readMap, replaceMap } from './map-files.ts';

/**
 * Writes the maps of the proxy with the lines of all cells. No tenant moves meanwhile. If a cell does not respond,
 * or a tenant is not in exactly one of them, both maps stay as they are.
 *
 * @param folder that of the maps
 * @param cells the databases of all cells, by name
 * @returns the number of lines in each map
 * @throws MoveRefused if it is not certain where a tenant is
 */
export async function writeMaps(
  folder: string,
  cells: ReadonlyMap<string, Db>,
): Promise<{ tenants: number; addresses: number }> {
  const paths = mapsIn(folder);
  const unlock = await lockMaps(folder);
  try {
    await refuseUnknownCells(paths.tenants, cells);
    const tenants = new Map<string, string>();
    const addresses = new Map<string, string>();
    for (const [name, db] of cells) {
      const [arrived] = await listArrived(db);
      if (arrived !== undefined) {
        throw new MoveRefused(
          `The move of ${arrived} to ${name} is not finished. Finish it first.`,
        );
      }
      add(tenants, await listSlugs(db), name);
      add(addresses, await listAddresses(db, name), name);
    }
    await replaceMap(paths.tenants, linesOf(tenants));
    await replaceMap(paths.addresses, linesOf(addresses));
    return { tenants: tenants.size, addresses: addresses.size };
  } finally {
    unlock();
  }
}

/** The lines of a cell without a file would be lost. */
async function refuseUnknownCells(path: string, cells: ReadonlyMap<string, Db>): Promise<void> {
  const known = (await readMap(path)).map((line) => line.split(/\s+/)[1] ?? '');
  const unknown = known.find((name) => !cells.has(name));
  if (unknown === undefined) return;
  throw new MoveRefused(
    `${path} has tenants of the cell "${unknown}", which has no file in PARLEY_CELLS_DIR. Add the file, or remove these lines.`,
  );
}

function add(map: Map<string, string>, keys: string[], cell: string): void {
  for (const key of keys) {
    const other = map.get(key);
    if (other !== undefined) {
      throw new MoveRefused(
        `${key} is in ${other} and in ${cell}. If one of them was restored from a backup, see docs/backup.md.`,
      );
    }
    map.set(key, cell);
  }
}

function linesOf(map: ReadonlyMap<string, string>): string[] {
  return [...map].map(([key, cell]) => `${key} ${cell}`);
}
