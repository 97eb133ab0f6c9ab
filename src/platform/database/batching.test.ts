import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createBatch, createBatchOfLists } from './batching.ts';

describe('a batch', () => {
  test('takes all calls of one turn together and answers each its own', async () => {
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

  test('gathers what comes while the one before is under way, up to its size', async () => {
    const runs: number[][] = [];
    let finish = () => {};
    const ask = createBatch<number, number>({
      run: async (items) => {
        runs.push(items);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return items;
      },
      maxSize: 2,
    });
    const answers = [ask(1)];
    await turn();
    await turn();
    answers.push(ask(2), ask(3), ask(4));
    await sleep(5);
    expect(runs).toEqual([[1]]);
    while (runs.flat().length < 4) {
      finish();
      await sleep(1);
    }
    finish();
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4]);
    expect(runs).toEqual([[1], [2, 3], [4]]);
  });

  test('begins the next before it answers, so that the database need not wait for answers', async () => {
    const steps: string[] = [];
    let finish = () => {};
    const ask = createBatch<number, number>({
      run: async (items) => {
        steps.push(`run ${items}`);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return items;
      },
      maxSize: 1,
    });
    const answers = Promise.all(
      [1, 2, 3].map((item) => ask(item).then(() => steps.push(`answer ${item}`))),
    );
    for (let run = 1; run <= 3; run++) {
      await turn();
      await turn();
      finish();
    }
    await answers;
    expect(steps).toEqual(['run 1', 'run 2', 'answer 1', 'run 3', 'answer 2', 'answer 3']);
  });

  test('that rests takes a first call at once, and all that come meanwhile together', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    const runs: number[][] = [];
    const ask = createBatch<number, number>({
      run: async (items) => {
        runs.push(items);
        return items;
      },
      maxSize: 100,
      restMs: 30,
    });
    await ask(1);
    const answers = [ask(2)];
    await vi.advanceTimersByTimeAsync(29);
    answers.push(ask(3));
    expect(runs).toEqual([[1]]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all(answers)).toEqual([2, 3]);
    await vi.advanceTimersByTimeAsync(30);
    await ask(4);
    expect(runs).toEqual([[1], [2, 3], [4]]);
    vi.useRealTimers();
  });

  test('with one item that PostgreSQL refuses fails that one alone', async () => {
    const ask = createBatch<string, string>({
      run: async (items) => {
        if (items.includes('bad')) throw Object.assign(new Error('duplicate'), { code: '23505' });
        return items;
      },
      maxSize: 100,
    });
    const outcomes = await Promise.allSettled(['a', 'bad', 'b'].map(ask));
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });

  test('that lost its connection is not tried again, for it may have been done', async () => {
    let runs = 0;
    const ask = createBatch<number, number>({
      run: async () => {
        runs++;
        throw Object.assign(new Error('connection terminated'), { code: 'ECONNRESET' });
      },
      maxSize: 100,
    });
    const outcomes = await Promise.allSettled([1, 2].map(ask));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    expect(runs).toBe(1);
    await Promise.allSettled([ask(3)]);
    expect(runs).toBe(2);
  });
});

test('a long list holds up the lists of its own tenant, and nobody else', async () => {
  const runs: [tenantId: number, items: number][][] = [];
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const take = createBatchOfLists<{ tenantId: number }, number>({
    run: async (lists) => {
      runs.push(lists.map((list) => [list[0]!.tenantId, list.length]));
      if (lists.some((list) => list.length > 100)) await held;
      return lists.map((list) => list.length);
    },
    maxSize: 50,
  });
  const listOf = (tenantId: number, length: number) => Array.from({ length }, () => ({ tenantId }));
  const long = take(listOf(1, 101));
  const own = take(listOf(1, 3));
  expect(await take(listOf(2, 1))).toBe(1);
  letGo();
  expect(await Promise.all([long, own])).toEqual([101, 3]);
  expect(runs).toEqual([[[1, 101]], [[2, 1]], [[1, 3]]]);
});
