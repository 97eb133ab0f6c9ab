import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

/** As long as orders are. */
const posts = (count: number) => Array<number>(count).fill(4_000);

test('a flood of one tenant is taken up at the rate, after a first burst', () => {
  let now = 0;
  const turns = createTurns(40, () => now);
  let taken = 0;
  turns.expect(1);
  for (; now < 10_000; now += 1) {
    for (const { tenantId, most } of turns.ask()) {
      turns.claimed(tenantId, posts(most), most);
      taken += most;
      for (let each = 0; each < most; each++) turns.finished(tenantId);
    }
  }
  expect(taken).toBeGreaterThan(390);
  expect(taken).toBeLessThanOrEqual(410);
});

test('posts of two megabytes are taken up as seldom as it takes to read them', () => {
  let now = 0;
  const turns = createTurns(40, () => now);
  let taken = 0;
  turns.expect(1);
  for (; now < 60_000; now += 1) {
    for (const { tenantId, most } of turns.ask()) {
      turns.claimed(tenantId, Array(most).fill(2_000_000), most);
      taken += most;
      for (let each = 0; each < most; each++) turns.finished(tenantId);
    }
  }
  expect(taken).toBeGreaterThan(20);
  expect(taken).toBeLessThan(40);
});

test('no more than eight events of a tenant are under way, and others do not wait for them', () => {
  let now = 0;
  const turns = createTurns(1_000, () => now);
  turns.expect(1);
  expect(turns.ask()).toEqual([{ tenantId: 1, most: 8 }]);
  turns.claimed(1, posts(8), 8);
  now += 1_000;
  turns.expect(2);
  expect(turns.ask()).toEqual([{ tenantId: 2, most: 8 }]);
  turns.finished(1);
  expect(turns.ask()).toEqual([
    { tenantId: 1, most: 1 },
    { tenantId: 2, most: 8 },
  ]);
});

test('where there is room for one tenant only, they take turns, whoever comes later too', () => {
  let now = 0;
  const turns = createTurns(1_000, () => now);
  for (const tenantId of [1, 2, 3]) turns.expect(tenantId);
  const served: number[] = [];
  for (; served.length < 7; now += 1_000) {
    if (served.length === 3) turns.expect(4);
    const { tenantId, most } = turns.ask()[0]!;
    turns.claimed(tenantId, posts(most), most);
    for (let each = 0; each < most; each++) turns.finished(tenantId);
    served.push(tenantId);
  }
  expect(served).toEqual([1, 2, 3, 1, 2, 3, 4]);
});

test('it says when to ask again: at once, when the rate allows a group, or not by itself', () => {
  let now = 0;
  const turns = createTurns(40, () => now);
  expect(turns.msUntilNext()).toBe(Number.POSITIVE_INFINITY);
  turns.expect(1);
  expect(turns.msUntilNext()).toBe(0);
  turns.claimed(1, posts(10), 10);
  for (let each = 0; each < 10; each++) turns.finished(1);
  expect(turns.msUntilNext()).toBe(200);
  now += 199;
  expect(turns.ask()).toEqual([]);
  now += 1;
  expect(turns.ask()).toEqual([{ tenantId: 1, most: 8 }]);
  turns.claimed(1, posts(0), 8);
  expect(turns.msUntilNext()).toBe(Number.POSITIVE_INFINITY);
});

test('where few a second are allowed, nobody waits for a group', () => {
  let now = 0;
  const turns = createTurns(1, () => now);
  turns.expect(1);
  turns.claimed(1, posts(10), 10);
  for (let each = 0; each < 10; each++) turns.finished(1);
  expect(turns.msUntilNext()).toBe(1_000);
  now += 1_000;
  expect(turns.ask()).toEqual([{ tenantId: 1, most: 1 }]);
});
