import { setTimeout as pause } from 'node:timers/promises';

/** The rows of one statement: a few milliseconds of work, so that no lock is held for long. */
const chunk = 500;
const pauseMs = 20;

/**
 * Deletes rows in chunks until none are left or `maxChunks` were deleted. The rest waits for the next run.
 *
 * @returns whether none are left
 * @param prune deletes at most `limit` rows and returns how many
 */
export async function pruneInChunks(
  prune: (limit: number) => Promise<number>,
  maxChunks: number,
  isStopping: () => boolean,
): Promise<boolean> {
  for (let chunks = 0; chunks < maxChunks && !isStopping(); chunks++) {
    if ((await prune(chunk)) < chunk) return true;
    await pause(pauseMs);
  }
  return false;
}
