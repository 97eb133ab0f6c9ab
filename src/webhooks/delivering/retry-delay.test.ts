import { expect, test } from 'vitest';
import { retryDelayMs } from './retry-delay.ts';

const schedule = [0, 5, 300];
const now = new Date('2026-11-21T10:00:00Z');

test('a retry waits as long as the schedule says, plus up to a tenth', () => {
  const delays = Array.from({ length: 200 }, () => retryDelayMs(schedule, 1)!);
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(5_000);
  expect(Math.max(...delays)).toBeLessThanOrEqual(5_500);
  expect(new Set(delays).size).toBeGreaterThan(20);
  expect(retryDelayMs(schedule, 2)).toBeGreaterThanOrEqual(300_000);
});

test('there is no retry after the last attempt', () => {
  expect(retryDelayMs(schedule, 3)).toBeNull();
  expect(retryDelayMs(schedule, 3, '10')).toBeNull();
});

test('Retry-After lengthens a wait, as seconds or as a date, and never shortens it', () => {
  expect(retryDelayMs(schedule, 1, '60', now)).toBe(60_000);
  expect(retryDelayMs(schedule, 1, 'Sat, 21 Nov 2026 10:01:00 GMT', now)).toBe(60_000);
  expect(retryDelayMs(schedule, 1, '1', now)).toBeGreaterThanOrEqual(5_000);
  expect(retryDelayMs(schedule, 1, 'Sat, 21 Nov 2020 10:00:00 GMT', now)).toBeLessThan(6_000);
});

test('an invalid Retry-After is ignored, and a long one is limited to a day', () => {
  expect(retryDelayMs(schedule, 1, 'soon', now)).toBeLessThan(6_000);
  expect(retryDelayMs(schedule, 1, '99999999999', now)).toBe(86_400_000);
});
