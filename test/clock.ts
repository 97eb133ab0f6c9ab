import type { TestApp } from './app.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * Moves the clock on to the first moment of a minute at noon, so that neither the minute nor the
 * day ends while a test counts. Returns the offset.
 */
export async function moveToFreshMinute(app: TestApp): Promise<number> {
  const { rows } = await app.db.pool.query<{ ms: number }>(
    'select extract(epoch from now())::float8 * 1000 as ms',
  );
  const at = rows[0]!.ms + app.clock.offsetMs;
  const isMidday = Math.abs((at % dayMs) - dayMs / 2) < dayMs / 4;
  const from = isMidday ? at : at + dayMs / 2;
  app.clock.offsetMs += Math.ceil(from / minuteMs) * minuteMs - at;
  return app.clock.offsetMs;
}
