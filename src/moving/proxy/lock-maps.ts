import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than most tenants are held. */
const maxWaitMs = 180_000;
const lookEveryMs = 100;
const busy = 5;

/** The file by which moves lock the maps in the same folder. It stays empty. */
export function lockFileOf(folder: string): string {
  return join(folder, 'moves.lock');
}

/**
 * Waits until no other command changes the maps in a folder, and keeps others from it. The lock is SQLite's lock of
 * a file, which the kernel releases when the process ends, even by kill -9.
 *
 * @returns releases the lock
 * @throws Error if another command has it for three minutes
 */
export async function lockMaps(folder: string): Promise<() => void> {
  const file = new DatabaseSync(lockFileOf(folder), { timeout: 0 });
  const until = performance.now() + maxWaitMs;
  for (; ; await sleep(lookEveryMs)) {
    try {
      file.exec('begin exclusive');
      return () => file.close();
    } catch (error) {
      const isBusy = (error as { errcode?: number }).errcode === busy;
      if (isBusy && performance.now() < until) continue;
      file.close();
      if (!isBusy) throw error;
      throw new Error(
        `Another move changes the proxy with the maps in ${folder}. Try again later.`,
      );
    }
  }
}
