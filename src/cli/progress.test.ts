import { expect, test } from 'vitest';
import { timeLeft } from './progress.ts';

test.each([
  [0, 0, ''],
  [3_000, 0.25, ', 9 s left'],
  [10, 0.999, ', 1 s left'],
  [60_000, 0.5, ', 1 min left'],
  [61_000, 0.5, ', 2 min left'],
  [600_000, 0.1, ', 1 h 30 min left'],
  [5_000, 1, ''],
])('after %i ms and %d of the total, timeLeft is "%s"', (elapsedMs, share, output) => {
  expect(timeLeft(elapsedMs, share)).toBe(output);
});
