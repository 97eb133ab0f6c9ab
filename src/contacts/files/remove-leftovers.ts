import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../platform/database/database.ts';
import { findLiveImports } from './importing/import-log-queries.ts';

/**
 * The folders for files of contacts, inside the data folder. Exports of earlier versions were written to a file first.
 */
const importsFolder = 'imports';
const exportsFolder = 'exports';

/** Longer than any export takes. */
const maxExportAgeMs = 24 * 60 * 60 * 1000;

/** Creates the folder of an import. Its name is the id of the import. */
export async function makeImportFolder(dataDir: string, importId: number): Promise<string> {
  const path = join(dataDir, importsFolder, String(importId));
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}

/**
 * Removes the folders of imports and exports that a killed process left behind: each can hold all contacts of
 * a tenant. The folder of an import is removed once no process works on the import, that of an export after
 * a day.
 */
export async function removeLeftovers({
  db,
  config: { dataDir },
}: {
  db: Database;
  config: { dataDir: string };
}): Promise<void> {
  const imports = await listFolder(join(dataDir, importsFolder));
  if (imports.length > 0) {
    // Folders first: an import is in the database before it has a folder.
    const live = new Set(
      await findLiveImports(db, imports.map(Number).filter(Number.isSafeInteger)),
    );
    for (const name of imports) {
      if (!live.has(Number(name))) await remove(join(dataDir, importsFolder, name));
    }
  }
  for (const name of await listFolder(join(dataDir, exportsFolder))) {
    const folder = join(dataDir, exportsFolder, name);
    const changedAt = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (changedAt < Date.now() - maxExportAgeMs) await remove(folder);
  }
}

async function listFolder(path: string): Promise<string[]> {
  return readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}
