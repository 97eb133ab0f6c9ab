import { readFile } from 'node:fs/promises';

/**
 * Reads how many files and connections this process may have open at once. Node raises the limit to the hard
 * limit when it starts.
 *
 * @returns undefined if there is no limit, or on systems other than Linux
 */
export async function openFileLimit(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const line = limits.split('\n').find((each) => each.startsWith('Max open files'));
  const [soft] = /\d+/.exec(line ?? '') ?? [];
  return soft === undefined ? undefined : Number(soft);
}
