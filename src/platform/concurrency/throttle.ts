/**
 * Runs a step of long work at a 50 % duty cycle: it then rests for as long as the step took. So the work
 * never takes more than half a core, and leaves time for others at the database.
 */
export async function throttle<Result>(step: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await step();
  const tookMs = performance.now() - startedAt;
  await new Promise((resolve) => setTimeout(resolve, tookMs));
  return result;
}

/**
 * Produces the items of long synchronous work in throttled slices, so that other work runs between them.
 *
 * @param maxCost of a slice; the last item may exceed it. There is at least one slice, even without items
 */
export async function* inSlices<Item>(
  items: Iterable<Item>,
  { costOf, maxCost }: { costOf(item: Item): number; maxCost: number },
): AsyncGenerator<Item> {
  const iterator = items[Symbol.iterator]();
  for (let isDone = false; !isDone; ) {
    const slice: Item[] = [];
    await throttle(async () => {
      for (let cost = 0; cost < maxCost; cost += costOf(slice.at(-1)!)) {
        const next = iterator.next();
        isDone = next.done === true;
        if (next.done) return;
        slice.push(next.value);
      }
    });
    yield* slice;
  }
}
