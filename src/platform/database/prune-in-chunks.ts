import { setTimeout as pause } from 'node:timers/promises';

/** Rows of one statement: some milliseconds of work, so that no lock is held for long. */
const chunk = 500;
const pauseMs = 20;

/**
 * Deletes rows a few at a time until there are no more, or so many chunks are gone: the rest waits
 * for the next run.
 *
 * @param prune deletes so many rows at most, and tells how many
 */
export async function pruneInChunks(
  prune: (most: number) => Promise<number>,
  mostChunks: number,
  isStopping: () => boolean,
): Promise<void> {
  for (let chunks = 0; chunks < mostChunks && !isStopping(); chunks++) {
    if ((await prune(chunk)) < chunk) return;
    await pause(pauseMs);
  }
}
