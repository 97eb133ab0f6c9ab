import { expect, test } from 'vitest';
import { pruneInChunks, pruneInTurns } from './prune-in-chunks.ts';

test('rows are deleted until none are left', async () => {
  const rows = { count: 1_200 };
  expect(await pruneInChunks(pruner(rows), () => false)).toBe(true);
  expect(rows.count).toBe(0);
});

test('a stop ends the deletion before the next chunk', async () => {
  const rows = { count: 1_200 };
  expect(await pruneInChunks(pruner(rows), () => rows.count < 1_200)).toBe(false);
  expect(rows.count).toBe(700);
});

test('an owner with many rows does not hold up the others', async () => {
  const busy = { count: 12_000 };
  const quiet = { count: 1 };
  const leftOfBusy: number[] = [];
  await pruneInTurns(
    [busy, quiet],
    (owner, limit) => {
      if (owner === quiet) leftOfBusy.push(busy.count);
      return pruner(owner)(limit);
    },
    () => false,
  );
  expect(leftOfBusy).toEqual([2_000]);
  expect([busy.count, quiet.count]).toEqual([0, 0]);
});

function pruner(rows: { count: number }): (limit: number) => Promise<number> {
  return async (limit) => {
    const deleted = Math.min(limit, rows.count);
    rows.count -= deleted;
    return deleted;
  };
}
