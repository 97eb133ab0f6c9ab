import { createKeyedSemaphore } from '../concurrency/keyed-semaphore.ts';
import { createTtlCache } from '../concurrency/ttl-cache.ts';
import { createBatch, type Results } from './batching.ts';
import { isLockTimeout } from './failures/is-lock-timeout.ts';

/** Runs of lanes at the same time, which leave most of the connections to the shared runs. */
const maxLanesAtOnce = 2;
/** A lane that waited for a lock stays apart for this time: it may be locked again at once. */
const staysApartMs = 30_000;
/** Nearly all callbacks have one or a few updates, and at most 1,000. */
const maxShortList = 100;

/** Whether a list takes so long that it should run apart. */
export function isLongList(list: unknown[]): boolean {
  return list.length > maxShortList;
}

/**
 * Gathers items as `createBatch` does, but tenants do not wait for one another's locks. If a shared run gives up
 * waiting for a lock, the items of each lane run apart. Those that really are locked run again until they get their
 * locks, so that an item fails only for another reason. Lanes that are not locked return to the shared runs.
 *
 * @param run does the work of all items at once, all or nothing. It throws an error of `isLockTimeout` instead of waiting
 *   for long: its statements are those of `Database.fair` or of a `fairTransaction`
 * @param laneOf the tenant of an item, and maybe more: items of different lanes must not wait for one another
 * @param isLong whether an item runs apart in any case, because it takes long
 */
export function createFairBatch<Item, Result>({
  run,
  maxSize,
  laneOf,
  isLong = () => false,
}: {
  run: (items: Item[]) => Promise<Results<Result>>;
  maxSize: number;
  laneOf: (item: Item) => string;
  isLong?: (item: Item) => boolean;
}): (item: Item) => Promise<Result> {
  const lanes = new Map<string, { add(item: Item): Promise<Result>; added: number }>();
  const locked = createTtlCache<true>({ ttlMs: staysApartMs });
  const { withPermit } = createKeyedSemaphore(maxLanesAtOnce);

  const together = createBatch<Item, { result: Result } | undefined>({ run: runTogether, maxSize });

  /** @returns nothing for items that have to run apart */
  async function runTogether(items: Item[]): Promise<({ result: Result } | undefined)[]> {
    // Items that were added before their lane turned out to be locked would hold up this run too.
    const areShared = items.map((item) => !isApart(laneOf(item)));
    const shared = items.filter((_, index) => areShared[index]);
    try {
      const results = shared.length > 0 ? ((await run(shared)) as Result[] | undefined) : [];
      let next = 0;
      return areShared.map((isShared) =>
        isShared ? { result: results?.[next++] as Result } : undefined,
      );
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      for (const item of shared) openLane(laneOf(item));
      return items.map(() => undefined);
    }
  }

  function isApart(name: string): boolean {
    return lanes.has(name) || locked.get(name) === true;
  }

  function openLane(name: string) {
    const open = lanes.get(name);
    if (open) return open;
    const add = createBatch<Item, Result>({
      run: (items) => runUntilUnlocked(name, items),
      maxSize,
    });
    const lane = { add, added: 0 };
    lanes.set(name, lane);
    return lane;
  }

  /** Other lanes have their turn between two attempts. */
  async function runUntilUnlocked(name: string, items: Item[]): Promise<Results<Result>> {
    for (;;) {
      try {
        return await withPermit('', () => run(items));
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        locked.set(name, true);
      }
    }
  }

  async function addApart(name: string, item: Item): Promise<Result> {
    const lane = openLane(name);
    lane.added++;
    try {
      return await lane.add(item);
    } finally {
      if (--lane.added === 0) lanes.delete(name);
    }
  }

  return async (item) => {
    const name = laneOf(item);
    if (!isApart(name) && !isLong(item)) {
      const outcome = await together(item);
      if (outcome) return outcome.result;
    }
    return addApart(name, item);
  };
}
