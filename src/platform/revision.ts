import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Finds the commit of the program in a folder: from the file `revision`, which installations and images have, or from
 * git. Ends with `-dirty` if files were changed after the commit.
 *
 * @returns 'unknown' without both
 */
export function findRevision(folder = join(import.meta.dirname, '../..')): string {
  const file = join(folder, 'revision');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim() || 'unknown';
  // Otherwise git would find the repository of a folder above.
  if (!existsSync(join(folder, '.git'))) return 'unknown';
  const describe = ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=12'];
  try {
    return execFileSync('git', ['--no-optional-locks', '-C', folder, ...describe], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    // Without git, or in a repository of another user.
    return 'unknown';
  }
}
