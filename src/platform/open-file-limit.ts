import { readFile } from 'node:fs/promises';

/**
 * How many files and connections this process may have open at once. Node raises it to the hard limit
 * when it starts.
 *
 * @returns undefined if there is no limit, or if the system does not say (only Linux does)
 */
export async function openFileLimit(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}
