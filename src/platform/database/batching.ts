import { isRejectedData } from './failures/error-codes.ts';
import { retryDeadlock } from './failures/retry-deadlock.ts';

/** Nothing, if the calls have no result. */
// biome-ignore lint/suspicious/noConfusingVoidType: it is the return type of such calls.
export type Results<Result> = [Result] extends [void] ? void : Result[];

/**
 * Gathers calls of the same kind into one statement. Calls made while a batch is running, or in the same
 * event-loop tick, run together. Under load, a statement carries many requests; a single request never
 * waits for others.
 *
 * @param run does the work of all items at once, all or nothing, and returns results in their order, if there are
 *   any. It runs again after a deadlock
 * @param maxSize the maximum number of items of one run
 * @param runAtOnce how many runs may be under way at the same time
 * @param restMs the minimum time between the starts of two runs. Under load each run then carries more, and
 *   the database commits less often; the first call after a pause still starts immediately
 */
export function createBatch<Item, Result>(options: {
  run: (items: Item[]) => Promise<Results<Result>>;
  maxSize: number;
  runAtOnce?: number;
  restMs?: number;
}): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve(result: Result): void; reject(error: unknown): void };
  const { run, maxSize, runAtOnce = 1, restMs = 0 } = options;
  const waiting: Waiting[] = [];
  let underWay = 0;
  let scheduled = false;
  let restedAt = 0;

  function schedule() {
    if (scheduled || underWay >= runAtOnce || waiting.length === 0) return;
    scheduled = true;
    const restOfMs = restedAt - performance.now();
    if (restOfMs > 0) setTimeout(start, restOfMs);
    else setImmediate(start);
  }

  function start() {
    scheduled = false;
    if (restMs > 0) restedAt = performance.now() + restMs;
    while (underWay < runAtOnce && waiting.length > 0) {
      void flush(waiting.splice(0, maxSize));
    }
  }

  async function flush(batch: Waiting[]) {
    underWay++;
    const settle = await runTogether(batch);
    underWay--;
    if (waiting.length > 0) {
      if (restMs > 0) schedule();
      else start();
      // The next batch goes first, so that the database is not idle while responses are written.
      await new Promise((resolve) => setImmediate(resolve));
    }
    settle();
  }

  /** Never throws. The function that it returns settles every caller. */
  async function runTogether(batch: Waiting[]): Promise<() => void> {
    try {
      const items = batch.map((each) => each.item);
      const results = (await retryDeadlock(() => run(items))) as Result[] | undefined;
      return () =>
        batch.forEach((each, index) => {
          each.resolve(results?.[index] as Result);
        });
    } catch (error) {
      // One bad item must not fail its neighbours. The run had no effect, so each item may run alone. After
      // a lost connection this is not known, and nothing is retried.
      if (batch.length === 1 || !isRefusedStatement(error)) {
        return () => {
          for (const each of batch) each.reject(error);
        };
      }
      const settles: (() => void)[] = [];
      for (const each of batch) settles.push(await runTogether([each]));
      return () => {
        for (const settle of settles) settle();
      };
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}

/** Whether PostgreSQL rejected the data, or ended the statement because of concurrent ones (class 40). */
function isRefusedStatement(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return isRejectedData(error) || (typeof code === 'string' && code.startsWith('40'));
}
