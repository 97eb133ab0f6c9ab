import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createFairBatch, isLongList } from './fair-batching.ts';
import { createLanes, createLockedTenants } from './lanes.ts';

type Item = { tenantId: number; n: number };

/** A batch of items, in which a run with an item of a locked tenant gives up waiting for a lock. */
function fairBatch(lanes = createLanes(createLockedTenants())) {
  const locked = new Set<number>();
  const runs: string[][] = [];
  const add = createFairBatch<Item, number>({
    lanes,
    run: async (items) => {
      runs.push(items.map(({ tenantId, n }) => `${tenantId}.${n}`));
      await nextTick();
      if (items.some(({ tenantId }) => locked.has(tenantId)))
        throw Object.assign(new Error('canceling statement'), { code: '55P03' });
      if (items.some(({ n }) => n < 0))
        throw Object.assign(new Error('refused'), { code: '23514' });
      return items.map(({ n }) => n);
    },
    maxSize: 10,
    tenantOf: ({ tenantId }) => tenantId,
  });
  return { locked, runs, add };
}

test('an item whose lock is taken delays only those of its own tenant, until it gets the lock', async () => {
  const { locked, runs, add } = fairBatch();
  locked.add(1);
  const waiting = [add({ tenantId: 1, n: 1 }), add({ tenantId: 1, n: 2 })];
  expect(await add({ tenantId: 2, n: 3 })).toBe(3);
  waiting.push(add({ tenantId: 1, n: 4 }));
  expect(await Promise.all([2, 3].map((tenantId) => add({ tenantId, n: 5 })))).toEqual([5, 5]);
  // Only the first run had items of both.
  expect(runs[0]).toEqual(['1.1', '1.2', '2.3']);
  expect(runs).toContainEqual(['2.5', '3.5']);
  for (const run of runs.slice(1)) expect(new Set(run.map((item) => item[0] === '1')).size).toBe(1);
  locked.clear();
  expect(await Promise.all(waiting)).toEqual([1, 2, 4]);
});

test('items that wait for the shared run leave it as soon as their tenant is locked', async () => {
  const { locked, runs, add } = fairBatch();
  locked.add(1);
  const first = add({ tenantId: 1, n: 1 });
  await nextTick();
  expect(runs).toHaveLength(1);
  const later = [add({ tenantId: 1, n: 2 }), add({ tenantId: 2, n: 3 })];
  expect(await later[1]).toBe(3);
  expect(runs.find((run) => run.includes('2.3'))).toEqual(['2.3']);
  locked.clear();
  expect(await Promise.all([first, later[0]])).toEqual([1, 2]);
});

test('the items of two locked tenants leave a turn to a third one that is not locked any more', async () => {
  const { locked, add } = fairBatch();
  for (const tenantId of [1, 2, 3]) locked.add(tenantId);
  const waiting = [1, 2, 3].map((tenantId) => add({ tenantId, n: tenantId }));
  await nextTick();
  locked.delete(3);
  expect(await waiting[2]).toBe(3);
  locked.clear();
  expect(await Promise.all(waiting)).toEqual([1, 2, 3]);
});

test('an item of a locked tenant that PostgreSQL refuses fails alone', async () => {
  const { locked, add } = fairBatch();
  locked.add(1);
  const waiting = Promise.allSettled([1, -1].map((n) => add({ tenantId: 1, n })));
  expect(await add({ tenantId: 2, n: 2 })).toBe(2);
  locked.clear();
  expect((await waiting).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

test('a tenant that was locked is not in shared runs for half a minute', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { locked, runs, add } = fairBatch();
  const addBoth = () => Promise.all([1, 2].map((tenantId) => add({ tenantId, n: 0 })));
  locked.add(1);
  const both = addBoth();
  await vi.waitUntil(() => runs.length > 4);
  locked.clear();
  await both;
  runs.length = 0;
  await addBoth();
  expect(runs).toEqual([['1.0'], ['2.0']]);
  vi.advanceTimersByTime(30_000);
  await addBoth();
  expect(runs.slice(2)).toEqual([['1.0', '2.0']]);
  vi.useRealTimers();
});

test('a tenant that is locked in one batch runs apart in all batches of the database', async () => {
  const lockedTenants = createLockedTenants();
  const first = fairBatch(createLanes(lockedTenants));
  const second = fairBatch(createLanes(lockedTenants));
  first.locked.add(1);
  const waiting = first.add({ tenantId: 1, n: 1 });
  await vi.waitUntil(() => first.runs.length > 2);
  await Promise.all([1, 2].map((tenantId) => second.add({ tenantId, n: 0 })));
  expect(second.runs.toSorted()).toEqual([['1.0'], ['2.0']]);
  first.locked.clear();
  expect(await waiting).toBe(1);
});

test('locked lanes of all batches of a pool take two connections together, and delay no others', async () => {
  const { promise: held, resolve: unlock } = Promise.withResolvers<void>();
  const lanes = createLanes(createLockedTenants());
  const running: string[] = [];
  const batchOf = (name: string) =>
    createFairBatch<Item, void>({
      lanes,
      run: async ([item]) => {
        running.push(`${name}${item!.tenantId}`);
        if (lanes.locked.has(item!.tenantId)) await held;
      },
      maxSize: 1,
      tenantOf: ({ tenantId }) => tenantId,
      isLong: ({ n }) => n > 0,
    });
  const [sends, counts] = [batchOf('send'), batchOf('count')];
  lanes.locked.add(1);
  lanes.locked.add(2);
  const waiting = [sends, counts].flatMap((add) =>
    [1, 2].map((tenantId) => add({ tenantId, n: 0 })),
  );
  // Tenant 3 is not locked, but runs apart too.
  await counts({ tenantId: 3, n: 1 });
  expect(running).toEqual(['send1', 'send2', 'count3']);
  unlock();
  await Promise.all(waiting);
  expect(running.slice(3)).toEqual(['count1', 'count2']);
});

test('a long list delays the lists of its own tenant, and no others', async () => {
  const runs: [tenantId: number, items: number][][] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const take = createFairBatch<{ tenantId: number }[], number>({
    lanes: createLanes(createLockedTenants()),
    run: async (lists) => {
      runs.push(lists.map((list) => [list[0]!.tenantId, list.length]));
      if (lists.some(isLongList)) await held;
      return lists.map((list) => list.length);
    },
    maxSize: 50,
    tenantOf: ([first]) => first!.tenantId,
    isLong: isLongList,
  });
  const listOf = (tenantId: number, length: number) => Array.from({ length }, () => ({ tenantId }));
  const long = take(listOf(1, 101));
  await vi.waitUntil(() => runs.length === 1);
  const own = take(listOf(1, 3));
  expect(await take(listOf(2, 1))).toBe(1);
  release();
  expect(await Promise.all([long, own])).toEqual([101, 3]);
  expect(runs).toEqual([[[1, 101]], [[2, 1]], [[1, 3]]]);
});
