import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import lastRelease from './last-release.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');

/**
 * Writes the program of the last release into a new folder, which the caller removes. It uses the packages of this
 * version if they are the same.
 *
 * @throws Error if the history does not have it, as in a shallow clone
 */
export async function checkOutLastRelease(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `parley-${lastRelease.version}-`));
  const archive = execFileSync('git', ['archive', lastRelease.commit], {
    cwd: root,
    maxBuffer: 2 ** 30,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const migrations = await readdir(join(folder, 'migrations'));
  const newest = migrations.sort().at(-1);
  if (newest !== lastRelease.newestMigration) {
    throw new Error(`last-release.json names ${lastRelease.newestMigration}, not ${newest}`);
  }
  const packagesOf = async (place: string) => {
    const { packages } = JSON.parse(await readFile(join(place, 'package-lock.json'), 'utf8'));
    // That of the program itself has its version.
    return JSON.stringify({ ...packages, '': undefined });
  };
  if ((await packagesOf(folder)) === (await packagesOf(root))) {
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  } else {
    execFileSync('npm', ['ci', '--prefer-offline', '--no-audit'], {
      cwd: folder,
      stdio: 'inherit',
    });
  }
  return folder;
}
