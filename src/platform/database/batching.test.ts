import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createBatch } from './batching.ts';

describe('a batch', () => {
  test('runs all calls of one event-loop tick together and returns each its own result', async () => {
    const runs: number[][] = [];
    const double = createBatch<number, number>({
      run: async (items) => {
        runs.push(items);
        return items.map((item) => item * 2);
      },
      maxSize: 100,
    });
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(runs).toEqual([[1, 2, 3]]);
  });

  test('gathers the calls that arrive while the previous batch runs, up to its size', async () => {
    const runs: number[][] = [];
    let finish = () => {};
    const call = createBatch<number, number>({
      run: async (items) => {
        runs.push(items);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return items;
      },
      maxSize: 2,
    });
    const results = [call(1)];
    await nextTick();
    await nextTick();
    results.push(call(2), call(3), call(4));
    await sleep(5);
    expect(runs).toEqual([[1]]);
    while (runs.flat().length < 4) {
      finish();
      await sleep(1);
    }
    finish();
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4]);
    expect(runs).toEqual([[1], [2, 3], [4]]);
  });

  test('starts the next batch before it returns results, so that the database never waits for callers', async () => {
    const steps: string[] = [];
    let finish = () => {};
    const call = createBatch<number, number>({
      run: async (items) => {
        steps.push(`run ${items}`);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return items;
      },
      maxSize: 1,
    });
    const results = Promise.all(
      [1, 2, 3].map((item) => call(item).then(() => steps.push(`result ${item}`))),
    );
    for (let run = 1; run <= 3; run++) {
      await nextTick();
      await nextTick();
      finish();
    }
    await results;
    expect(steps).toEqual(['run 1', 'run 2', 'result 1', 'run 3', 'result 2', 'result 3']);
  });

  test('with a rest runs the first call at once, and those that arrive during the rest together', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    const runs: number[][] = [];
    const call = createBatch<number, number>({
      run: async (items) => {
        runs.push(items);
        return items;
      },
      maxSize: 100,
      restMs: 30,
    });
    await call(1);
    const results = [call(2)];
    await vi.advanceTimersByTimeAsync(29);
    results.push(call(3));
    expect(runs).toEqual([[1]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all(results)).toEqual([2, 3]);
    await vi.advanceTimersByTimeAsync(30);
    await call(4);
    expect(runs).toEqual([[1], [2, 3], [4]]);
    vi.useRealTimers();
  });

  test('with one item that PostgreSQL refuses fails only that item', async () => {
    const call = createBatch<string, string>({
      run: async (items) => {
        if (items.includes('bad')) throw Object.assign(new Error('duplicate'), { code: '23505' });
        return items;
      },
      maxSize: 100,
    });
    const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map(call));
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  test('that lost its connection is not retried, because it may have been committed', async () => {
    let runs = 0;
    const call = createBatch<number, number>({
      run: async () => {
        runs++;
        throw Object.assign(new Error('connection terminated'), { code: 'ECONNRESET' });
      },
      maxSize: 100,
    });
    const outcomes = await Promise.allSettled([1, 2].map(call));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(runs).toBe(1);
    await Promise.allSettled([call(3)]);
    expect(runs).toBe(2);
  });
});
