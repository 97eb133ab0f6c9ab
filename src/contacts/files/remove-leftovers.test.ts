import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeLeftovers } from './remove-leftovers.ts';

async function folder(prefix: string, hoursOld: number): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  await writeFile(join(path, 'contacts.csv'), 'firstname,phone\n');
  const then = Date.now() / 1000 - hoursOld * 3600;
  await utimes(path, then, then);
  return path;
}

test('what a killed process left of imports and exports goes after a day', async () => {
  const gone = [await folder('parley-import-', 25), await folder('parley-export-', 25)];
  const kept = [await folder('parley-export-', 23), await folder('parley-other-', 25)];
  await removeLeftovers();
  for (const path of gone) await expect(stat(path)).rejects.toThrow('ENOENT');
  for (const path of kept) {
    expect((await stat(path)).isDirectory()).toBe(true);
    await rm(path, { recursive: true });
  }
});
