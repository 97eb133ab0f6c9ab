import type { Clock } from '../../src/platform/clock.ts';
import type { TestApp } from './app.ts';

/** A process's clock that is ahead of the real time. */
export type TestClock = Clock & { offsetMs: number };

export function createTestClock(): TestClock {
  return {
    offsetMs: 0,
    now() {
      return new Date(Date.now() + this.offsetMs);
    },
    elapsedMs() {
      return performance.now() + this.offsetMs;
    },
  };
}

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * Moves the clock forward to the start of a minute around noon, so that neither the minute nor the day ends
 * during a test that counts.
 */
export async function moveToFreshMinute(app: TestApp): Promise<void> {
  const { rows } = await app.db.pool.query<{ ms: number }>(
    'select extract(epoch from now())::float8 * 1000 as ms',
  );
  const at = rows[0]!.ms;
  const isMidday = Math.abs((at % dayMs) - dayMs / 2) < dayMs / 4;
  const from = isMidday ? at : at + dayMs / 2;
  await app.moveClock(Math.ceil(from / minuteMs) * minuteMs - at);
}
