import { createBatch, type Results } from './batching.ts';
import { isLockTimeout } from './failures/error-codes.ts';
import type { Lanes } from './lanes.ts';

/** Nearly all callbacks have one or a few updates, and at most 1,000. */
const maxShortList = 100;

/** Whether a list takes so long that it should run apart. */
export function isLongList(list: unknown[]): boolean {
  return list.length > maxShortList;
}

/**
 * Gathers items as `createBatch` does, but tenants do not wait for one another's locks. If a shared run gives up
 * waiting for a lock, the items of each lane run apart. Those that really are locked run again until they get their
 * locks, so that an item fails only for another reason. Their tenant then stays apart in all batches of the database,
 * because its lanes may hold rows that its other items need. Lanes that are not locked return to the shared runs.
 *
 * @param lanes those of the pool that `run` uses
 * @param run does the work of all items at once, all or nothing. It throws an error of `isLockTimeout` instead of waiting
 *   for long: its statements are those of `Database.fair` or of a `fairTransaction`
 * @param awaitLocks waits for the locks that `run` may wait for while it already holds others. Lanes call it before each
 *   run, so that nothing is held meanwhile
 * @param laneOf a name for items of a tenant that must not wait for its other items
 * @param isLong whether an item runs apart in any case, because it takes long
 */
export function createFairBatch<Item, Result>({
  lanes: { locked, withPermit },
  run,
  awaitLocks,
  maxSize,
  tenantOf,
  laneOf = () => '',
  isLong = () => false,
}: {
  lanes: Lanes;
  run: (items: Item[]) => Promise<Results<Result>>;
  awaitLocks?: (items: Item[]) => Promise<unknown>;
  maxSize: number;
  tenantOf: (item: Item) => number;
  laneOf?: (item: Item) => string;
  isLong?: (item: Item) => boolean;
}): (item: Item) => Promise<Result> {
  const lanes = new Map<string, { add(item: Item): Promise<Result>; added: number }>();

  const together = createBatch<Item, { result: Result } | undefined>({ run: runTogether, maxSize });

  /** @returns nothing for items that have to run apart */
  async function runTogether(items: Item[]): Promise<({ result: Result } | undefined)[]> {
    // Items that were added before their lane turned out to be locked would hold up this run too.
    const areShared = items.map((item) => !isApart(item));
    const shared = items.filter((_, index) => areShared[index]);
    try {
      const results = shared.length > 0 ? ((await run(shared)) as Result[] | undefined) : [];
      let next = 0;
      return areShared.map((isShared) =>
        isShared ? { result: results?.[next++] as Result } : undefined,
      );
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      for (const item of shared) openLane(item);
      return items.map(() => undefined);
    }
  }

  function isApart(item: Item): boolean {
    return lanes.has(nameOf(item)) || locked.has(tenantOf(item));
  }

  function nameOf(item: Item): string {
    return `${laneOf(item)} ${tenantOf(item)}`;
  }

  function openLane(item: Item) {
    const name = nameOf(item);
    const open = lanes.get(name);
    if (open) return open;
    const tenantId = tenantOf(item);
    const add = createBatch<Item, Result>({
      run: (items) => runUntilUnlocked(tenantId, items),
      maxSize,
    });
    const lane = { add, added: 0 };
    lanes.set(name, lane);
    return lane;
  }

  /** Other lanes have their turn between two attempts. */
  async function runUntilUnlocked(tenantId: number, items: Item[]): Promise<Results<Result>> {
    for (;;) {
      try {
        return await withPermit(tenantId, async () => {
          await awaitLocks?.(items);
          return run(items);
        });
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        locked.add(tenantId);
      }
    }
  }

  async function addApart(item: Item): Promise<Result> {
    const lane = openLane(item);
    lane.added++;
    try {
      return await lane.add(item);
    } finally {
      if (--lane.added === 0) lanes.delete(nameOf(item));
    }
  }

  return async (item) => {
    if (!isApart(item) && !isLong(item)) {
      const outcome = await together(item);
      if (outcome) return outcome.result;
    }
    return addApart(item);
  };
}
