import fc from 'fast-check';
import { expect, test } from 'vitest';
import { niceTicks } from '../../web/parts/chart/nice-ticks.ts';

test.each([
  [1, [0, 1, 2]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [42, [0, 25, 50]],
  [225, [0, 50, 100, 150, 200, 250]],
  [1_400, [0, 500, 1_000, 1_500]],
])('the axis of a chart with %i at most shows %j', (greatest, ticks) => {
  expect(niceTicks(greatest)).toEqual(ticks);
});

test('an axis covers the greatest value with two to five even steps, and is at least half full', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 10_000_000 }), (greatest) => {
      const ticks = niceTicks(greatest);
      expect(ticks.length).toBeGreaterThanOrEqual(3);
      expect(ticks.length).toBeLessThanOrEqual(6);
      expect(ticks.every((tick, index) => tick === index * ticks[1]!)).toBe(true);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest);
      expect(ticks.at(-1)).toBeLessThan(1.6 * greatest + 2);
    }),
  );
});
