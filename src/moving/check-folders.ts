import { isFolderOfService } from '../media/kept/media-folders.ts';
import { megabyte } from '../media/media-kinds.ts';
import { findSharedPlaces } from '../media/transfer/shared-places.ts';
import type { Services } from '../services.ts';
import { findFileUse } from './move-queries.ts';
import { type Cells, MoveRefused, type MoveSession } from './move-session.ts';

const instead = 'With --without-files the tenant moves without them.';

/**
 * Checks that this machine has the folders between which a tenant's kept files are copied. A cell on another machine
 * can have a folder with the same path.
 *
 * @throws MoveRefused
 */
export async function checkFolders(
  { here, there }: Cells,
  { hereDb, tenantId }: MoveSession,
): Promise<void> {
  const { keeps, in_folder, bytes } = await findFileUse(hereDb, tenantId);
  if (!keeps) return;
  const usesFolder = in_folder || !here.storage.usesBucket;
  if (usesFolder) await refuseOtherFolder(here);
  const places = await findSharedPlaces(here, there);
  if (there.storage.usesBucket || (usesFolder && places.folder)) return;
  await refuseOtherFolder(there);
  const free = await there.storage.incoming.freeBytes();
  const needed = bytes + there.config.mediaMinFreeMegabytes * megabyte;
  if (free >= needed) return;
  throw new MoveRefused(
    `The disk of the data folder of ${there.config.cell} has ${Math.floor(free / megabyte)} MB free, and the kept files of the tenant need ${Math.ceil(needed / megabyte)} MB with PARLEY_MEDIA_MIN_FREE_MB. ${instead}`,
  );
}

async function refuseOtherFolder(cell: Services): Promise<void> {
  const { config } = cell;
  if (await isFolderOfService(cell)) return;
  throw new MoveRefused(
    `The tenant keeps received files, and ${config.dataDir} is not the data folder of ${config.cell}: no process of this cell uses it, or the files are in another one. Run the command where it is, or mount it and name it in PARLEY_DATA_DIR of ${config.cell}.env, or give the cell a bucket. ${instead}`,
  );
}
