/** Thrown instead of waiting for a permit if too many callers of the same key wait already. */
export class TooManyWaiting extends Error {
  override name = 'TooManyWaiting';
}

/**
 * Creates a semaphore with a number of permits for each key. Keys never wait for one another.
 *
 * @param maxWaiting callers of one key that may wait for a permit, unless a call has another maximum
 */
export function createKeyedSemaphore<Key = string>(
  permits: number,
  maxWaiting = Number.POSITIVE_INFINITY,
) {
  const keys = new Map<Key, { acquired: number; waiting: (() => void)[] }>();

  /** Passes the permit to the caller that has waited longest, if there is one. */
  function release(key: Key): void {
    const lane = keys.get(key)!;
    const next = lane.waiting.shift();
    if (next) next();
    else if (--lane.acquired === 0) keys.delete(key);
  }

  /**
   * Acquires a permit without waiting.
   *
   * @returns releases the permit, to be called once; undefined if none is free
   */
  function tryAcquire(key: Key): (() => void) | undefined {
    const lane = keys.get(key) ?? { acquired: 0, waiting: [] };
    if (lane.acquired >= permits) return undefined;
    lane.acquired++;
    keys.set(key, lane);
    return () => release(key);
  }

  /**
   * Waits for a permit, in order of arrival, and runs `work` with it.
   *
   * @throws TooManyWaiting
   */
  async function withPermit<Result>(
    key: Key,
    work: () => Promise<Result>,
    max = maxWaiting,
  ): Promise<Result> {
    if (!tryAcquire(key)) {
      const { waiting } = keys.get(key)!;
      if (waiting.length >= max) throw new TooManyWaiting();
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      release(key);
    }
  }

  return { withPermit, tryAcquire };
}
