import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files from which HAProxy reads its maps at its start. */
export function mapsIn(folder: string) {
  return { tenants: join(folder, 'tenants.map'), addresses: join(folder, 'addresses.map') };
}

/** Reads the lines of a map. A file that does not exist has none. */
export async function readMap(path: string): Promise<string[]> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return content.split('\n').filter((line) => line.trim() !== '');
}

/** Replaces a map as a whole, so that HAProxy never reads half of one. */
export async function replaceMap(path: string, lines: string[]): Promise<void> {
  await writeFile(`${path}.new`, lines.map((line) => `${line}\n`).join(''), { flush: true });
  await rename(`${path}.new`, path);
}
