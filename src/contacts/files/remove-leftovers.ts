import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of folders that files of contacts pass through, each with more letters behind it. */
export const importFolder = 'parley-import-';
export const exportFolder = 'parley-export-';

/** Longer than any import or export takes. */
const oldAfterMs = 24 * 60 * 60 * 1000;

/**
 * Removes the folders of imports and exports that a killed process left in the folder for temporary
 * files: each can hold all the contacts of a tenant. Those of others, which we may not remove, stay.
 */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(importFolder) && !name.startsWith(exportFolder)) continue;
    const folder = join(tmpdir(), name);
    const touchedAt = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (touchedAt > Date.now() - oldAfterMs) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}
