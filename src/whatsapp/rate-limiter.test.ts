import { setImmediate as soon } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRateLimiter } from './rate-limiter.ts';

const number = { tenantId: 1, phoneNumberId: '1' };

/** How many seconds the nth of many messages, each to another phone, would wait now. */
async function waitOf(
  rateLimiter: ReturnType<typeof createRateLimiter>,
  count: number,
  from = number,
) {
  for (let sent = 1; sent < count; sent++) {
    void rateLimiter.acquire(from, `+1415555${sent}`, Number.POSITIVE_INFINITY);
  }
  const last = await rateLimiter.acquire(from, '+1', -1);
  return 'refusedForSeconds' in last ? last.refusedForSeconds : 0;
}

test('messages of a number beyond its burst are spread over time', async () => {
  expect(await waitOf(createRateLimiter({ messagesPerSecond: 80, processes: 1 }), 864)).toBe(10);
});

test('processes share the rate', async () => {
  expect(await waitOf(createRateLimiter({ messagesPerSecond: 80, processes: 4 }), 216)).toBe(10);
});

test('a number with a higher throughput sends faster, and does not delay others', async () => {
  const rateLimiter = createRateLimiter({ messagesPerSecond: 80, processes: 1 });
  const fast = { tenantId: 1, phoneNumberId: '2', messagesPerSecond: 1_000 };
  expect(await waitOf(rateLimiter, 10_800, fast)).toBe(10);
  expect(await rateLimiter.acquire(number, '+1', 0)).toEqual({ waitMs: 0 });
});

test('inbound messages use the throughput', async () => {
  const rateLimiter = createRateLimiter({ messagesPerSecond: 80, processes: 1 });
  rateLimiter.countInbound(number, 64);
  expect(await waitOf(rateLimiter, 801)).toBe(10);
});

test('however many inbound messages arrive, the next send waits for at most a second', async () => {
  const rateLimiter = createRateLimiter({ messagesPerSecond: 80, processes: 1 });
  for (const messages of [1_000, 1, 1_000]) rateLimiter.countInbound(number, messages);
  expect(await waitOf(rateLimiter, 1)).toBe(1);
  const ahead = createRateLimiter({ messagesPerSecond: 80, processes: 1 });
  expect(await waitOf(ahead, 864)).toBe(10);
  ahead.countInbound(number, 1_000);
  expect(await waitOf(ahead, 1)).toBe(10);
});

test('the limit per phone is separate for each phone, and processes share it', async () => {
  for (const [processes, burst] of [
    [1, 44],
    [4, 11],
  ] as const) {
    const rateLimiter = createRateLimiter({ messagesPerSecond: 1_000, processes });
    const sends = [];
    for (let sent = 0; sent <= burst; sent++)
      sends.push(await rateLimiter.acquire(number, '+1', 0));
    expect(sends.filter((send) => 'waitMs' in send)).toHaveLength(burst);
    expect(sends.at(-1)).toEqual({ refusedForSeconds: 6 * processes });
    expect(await rateLimiter.acquire(number, '+2', 0)).toEqual({ waitMs: 0 });
  }
});

test('acquire waits, and a released reservation can be used by another message', async () => {
  const rateLimiter = createRateLimiter({ messagesPerSecond: 80, processes: 1 });
  expect(await waitOf(rateLimiter, 864)).toBe(10);
  const waiting = rateLimiter.acquire(number, '+1', Number.POSITIVE_INFINITY);
  expect(await Promise.race([waiting, soon('waits')])).toBe('waits');
  for (let sent = 1; sent < 864; sent++) rateLimiter.release(number, `+1415555${sent}`);
  expect(rateLimiter.reserve(number, '+2', 0)).toEqual({ waitMs: 0 });

  for (let sent = 0; sent < 43; sent++) rateLimiter.reserve(number, '+2', Number.POSITIVE_INFINITY);
  expect(rateLimiter.reserve(number, '+2', 2_000)).toEqual({ refusedForSeconds: 6 });
  rateLimiter.release(number, '+2');
  expect(rateLimiter.reserve(number, '+2', 2_000)).toHaveProperty('waitMs');
});

test('a rate of zero disables the limiter', async () => {
  const rateLimiter = createRateLimiter({ messagesPerSecond: 0, processes: 1 });
  for (let sent = 0; sent < 1_000; sent++) {
    expect(await rateLimiter.acquire(number, '+1', 0)).toEqual({ waitMs: 0 });
  }
});
