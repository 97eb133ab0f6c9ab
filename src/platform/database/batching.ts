import { retryDeadlock } from './retry-deadlock.ts';

/**
 * Gathers calls of the same kind into one statement. Calls made while a batch is under way, or in
 * the same turn of the event loop, go together; so under load a statement carries many requests,
 * and alone a request waits for nobody.
 *
 * @param run does the work of all items at once and answers in their order; all or nothing. It runs
 *   again where it and another transaction waited for each other
 * @param maxSize most items in one run
 * @param runAtOnce how many runs may be under way together
 * @param restMs least time from the start of a run to the next: under load each then carries more,
 *   and the database has fewer commits to make; the first call after a pause still waits for nobody
 */
export function createBatch<Item, Result>(options: {
  run: (items: Item[]) => Promise<Result[]>;
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
      // It must reach the database first: else that is idle while the answers of a batch are made.
      await new Promise((resolve) => setImmediate(resolve));
    }
    settle();
  }

  /** Never throws; what it gives tells everybody how it went. */
  async function runTogether(batch: Waiting[]): Promise<() => void> {
    try {
      const items = batch.map((each) => each.item);
      const results = await retryDeadlock(() => run(items));
      return () =>
        batch.forEach((each, index) => {
          each.resolve(results[index] as Result);
        });
    } catch (error) {
      // One bad item must not fail its neighbours. The run did nothing, so each may go alone; but
      // when the connection was lost nobody knows that, and nothing is tried again.
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

/** Of what the network tells, nearly all posts hold one or a few; 1,000 at most are to be expected. */
const longList = 100;

/**
 * Gathers lists as `createBatch` gathers single items. A long one runs by itself, so that others do
 * not wait for it: it may take many seconds. Those of its own tenant do, for they may hold the same
 * items, and whoever ran together with them would wait too.
 *
 * @param options as of `createBatch`, with a result for each list
 */
export function createBatchOfLists<Item extends { tenantId: number }, Result>(options: {
  run: (lists: Item[][]) => Promise<Result[]>;
  maxSize: number;
}): (list: Item[]) => Promise<Result> {
  const together = createBatch(options);
  /** The long ones under way, by tenant. */
  const long = new Map<number, Promise<Result>>();

  async function alone(tenantId: number, list: Item[]): Promise<Result> {
    const running = retryDeadlock(() => options.run([list])).then(([result]) => result as Result);
    long.set(tenantId, running);
    return running.finally(() => long.delete(tenantId));
  }

  return async (list) => {
    const tenantId = list[0]?.tenantId ?? 0;
    while (long.has(tenantId)) await long.get(tenantId)!.catch(() => {});
    return list.length > longList ? alone(tenantId, list) : together(list);
  };
}

/**
 * PostgreSQL answered with an error for the data, classes 22 (data) and 23 (constraint), or ended
 * the statement because of what others do at the same time, class 40.
 */
function isRefusedStatement(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^(2[23]|40)/.test(code);
}
