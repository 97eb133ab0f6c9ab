import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createKeyedSemaphore, TooManyWaiting } from './keyed-semaphore.ts';

test('runs at most as many at once as there are permits, in order, and a failure releases its permit', async () => {
  const semaphore = createKeyedSemaphore(2);
  let running = 0;
  let maxRunning = 0;
  const started: number[] = [];
  const results = await Promise.allSettled(
    Array.from({ length: 9 }, (_each, index) =>
      semaphore.withPermit('a', async () => {
        started.push(index);
        maxRunning = Math.max(maxRunning, ++running);
        await sleep(1);
        running--;
        if (index % 3 === 0) throw new Error('on purpose');
        return index;
      }),
    ),
  );
  expect(maxRunning).toBe(2);
  expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(results.filter((each) => each.status === 'rejected')).toHaveLength(3);
});

test('keys do not wait for one another', async () => {
  const semaphore = createKeyedSemaphore(1);
  const held = Promise.withResolvers<void>();
  const first = semaphore.withPermit('a', () => held.promise);
  const behind = semaphore.withPermit('a', async () => 'behind');
  expect(await semaphore.withPermit('b', async () => 'other')).toBe('other');
  held.resolve();
  await first;
  expect(await behind).toBe('behind');
});

test('work is refused while too many wait for its key, and accepted again later', async () => {
  const semaphore = createKeyedSemaphore(1, 1);
  const held = Promise.withResolvers<void>();
  const first = semaphore.withPermit('a', () => held.promise);
  const second = semaphore.withPermit('a', async () => 'second');
  await expect(semaphore.withPermit('a', async () => 'third')).rejects.toThrow(TooManyWaiting);
  expect(await semaphore.withPermit('b', async () => 'other')).toBe('other');
  held.resolve();
  await first;
  expect(await second).toBe('second');
  expect(await semaphore.withPermit('a', async () => 'fourth')).toBe('fourth');
});

test('tryAcquire does not wait, and shares its permits with withPermit', async () => {
  const semaphore = createKeyedSemaphore(1);
  const release = semaphore.tryAcquire('a')!;
  expect(semaphore.tryAcquire('a')).toBeUndefined();
  const waiting = semaphore.withPermit('a', async () => 'ran');
  semaphore.tryAcquire('b')!();
  release();
  expect(await waiting).toBe('ran');
  expect(semaphore.tryAcquire('a')).toBeDefined();
});
