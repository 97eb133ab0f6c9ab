import { setImmediate as nextTick } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWorkInProgress } from './work-in-progress.ts';

/** Begins work of a tenant. Call the result to end it. */
function begin(inProgress: ReturnType<typeof createWorkInProgress>, tenantId: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ended = inProgress.during(tenantId, () => promise);
  return async () => {
    resolve();
    await ended;
    await nextTick();
  };
}

/** Waits for the end of the work of tenant 1. `isOver()` is whether it has ended. */
function wait(inProgress: ReturnType<typeof createWorkInProgress>) {
  let over = false;
  void inProgress.untilNone(1).then(() => {
    over = true;
  });
  return async () => {
    await nextTick();
    return over;
  };
}

test('the end of work is waited for, and that of work that begins meanwhile', async () => {
  const inProgress = createWorkInProgress();
  const ends = [begin(inProgress, 1), begin(inProgress, 1)];
  const isOver = wait(inProgress);
  expect(await isOver()).toBe(false);
  await ends[0]!();
  expect(await isOver()).toBe(false);
  // The last work ends, and other work begins before the wait goes on.
  const ended = ends[1]!();
  await Promise.resolve();
  const end = begin(inProgress, 1);
  await ended;
  expect(await isOver()).toBe(false);
  await end();
  expect(await isOver()).toBe(true);
});

test('a claim is waited for, and the work that it claimed', async () => {
  const inProgress = createWorkInProgress();
  const endClaim = inProgress.beginClaim();
  const isOver = wait(inProgress);
  expect(await isOver()).toBe(false);
  const end = begin(inProgress, 1);
  endClaim();
  expect(await isOver()).toBe(false);
  await end();
  expect(await isOver()).toBe(true);
});

test('neither work of other tenants nor a later claim is waited for', async () => {
  const inProgress = createWorkInProgress();
  const end = begin(inProgress, 2);
  const isOver = wait(inProgress);
  const endClaim = inProgress.beginClaim();
  expect(await isOver()).toBe(true);
  endClaim();
  await end();
});

test('work that fails has ended', async () => {
  const inProgress = createWorkInProgress();
  await expect(inProgress.during(1, () => Promise.reject(new Error('lost')))).rejects.toThrow();
  expect(await wait(inProgress)()).toBe(true);
});
