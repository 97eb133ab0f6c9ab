/**
 * Does a step of long work, then rests as long as it took, so that the work never takes more than
 * half a core or keeps others from the database.
 */
export async function atHalfPace<Result>(step: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await step();
  const tookMs = performance.now() - startedAt;
  await new Promise((resolve) => setTimeout(resolve, tookMs));
  return result;
}

/**
 * Makes the items of long synchronous work at half pace, in slices, so that other work gets a turn of
 * the event loop between them.
 *
 * @param maxCost of a slice, give or take one item; at least one slice is made, also without items
 */
export async function* inSlices<Item>(
  items: Iterable<Item>,
  { costOf, maxCost }: { costOf(item: Item): number; maxCost: number },
): AsyncGenerator<Item> {
  const made = items[Symbol.iterator]();
  for (let isDone = false; !isDone; ) {
    const slice: Item[] = [];
    await atHalfPace(async () => {
      for (let cost = 0; cost < maxCost; cost += costOf(slice.at(-1)!)) {
        const next = made.next();
        isDone = next.done === true;
        if (next.done) return;
        slice.push(next.value);
      }
    });
    yield* slice;
  }
}
