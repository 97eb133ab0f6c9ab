/** Thrown by a gate that refuses work because too much of the same key waits already. */
export class TooManyWaiting extends Error {
  override name = 'TooManyWaiting';
}

/**
 * Lets so many pieces of work of one key run at once; the others wait in their order, and not on
 * those of other keys.
 *
 * @param maxWaiting of one key; more are refused with {@link TooManyWaiting}
 */
export function createGate(mostAtOnce: number, maxWaiting = Number.POSITIVE_INFINITY) {
  const keys = new Map<string, { running: number; waiting: (() => void)[] }>();

  return async function through<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const lane = keys.get(key) ?? { running: 0, waiting: [] };
    keys.set(key, lane);
    if (lane.running >= mostAtOnce) {
      if (lane.waiting.length >= maxWaiting) throw new TooManyWaiting();
      await new Promise<void>((resolve) => lane.waiting.push(resolve));
    } else {
      lane.running++;
    }
    try {
      return await work();
    } finally {
      // Whoever is next takes over the place.
      const next = lane.waiting.shift();
      if (next) next();
      else if (--lane.running === 0) keys.delete(key);
    }
  };
}
