import { setTimeout as pause } from 'node:timers/promises';

/** The rows of one statement: a few milliseconds of work, so that no lock is held for long. */
const chunk = 500;
const pauseMs = 20;
/** The chunks of one owner before the next one has its turn. */
const maxChunksOfTurn = 20;

/**
 * Deletes rows in chunks until none are left.
 *
 * @returns whether none are left; false if it is stopping or after `maxChunks`
 * @param prune deletes at most `limit` rows and returns how many
 */
export async function pruneInChunks(
  prune: (limit: number) => Promise<number>,
  isStopping: () => boolean,
  maxChunks = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  for (let chunks = 0; chunks < maxChunks && !isStopping(); chunks++) {
    if ((await prune(chunk)) < chunk) return true;
    await pause(pauseMs);
  }
  return false;
}

/**
 * Deletes rows of several owners, such as tenants, until none are left. They take turns, so that one with many rows
 * does not hold up the others.
 */
export async function pruneInTurns<Owner>(
  owners: Owner[],
  prune: (owner: Owner, limit: number) => Promise<number>,
  isStopping: () => boolean,
): Promise<void> {
  let left = owners;
  while (left.length > 0 && !isStopping()) {
    const unfinished: Owner[] = [];
    for (const owner of left) {
      const pruneOwner = (limit: number) => prune(owner, limit);
      if (!(await pruneInChunks(pruneOwner, isStopping, maxChunksOfTurn))) unfinished.push(owner);
    }
    left = unfinished;
  }
}
