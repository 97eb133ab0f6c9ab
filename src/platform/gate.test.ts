import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGate, TooManyWaiting } from './gate.ts';

test('no more of one key run at once, in their order, and failures make room too', async () => {
  const through = createGate(2);
  let running = 0;
  let most = 0;
  const begun: number[] = [];
  const results = await Promise.allSettled(
    Array.from({ length: 9 }, (_each, index) =>
      through('a', async () => {
        begun.push(index);
        most = Math.max(most, ++running);
        await sleep(1);
        running--;
        if (index % 3 === 0) throw new Error('on purpose');
        return index;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(results.filter((each) => each.status === 'rejected')).toHaveLength(3);
});

test('one key does not wait for another', async () => {
  const through = createGate(1);
  const held = Promise.withResolvers<void>();
  const first = through('a', () => held.promise);
  const behind = through('a', async () => 'behind');
  expect(await through('b', async () => 'other')).toBe('other');
  held.resolve();
  await first;
  expect(await behind).toBe('behind');
});

test('work is refused when too much of its key waits, and taken again once some has run', async () => {
  const through = createGate(1, 1);
  const held = Promise.withResolvers<void>();
  const first = through('a', () => held.promise);
  const second = through('a', async () => 'second');
  await expect(through('a', async () => 'third')).rejects.toThrow(TooManyWaiting);
  expect(await through('b', async () => 'other')).toBe('other');
  held.resolve();
  await first;
  expect(await second).toBe('second');
  expect(await through('a', async () => 'fourth')).toBe('fourth');
});
