/**
 * The time as this process sees it. What processes share (limits, expiry, leases) uses the database's `now()`
 * instead.
 */
export type Clock = {
  now(): Date;
  /**
   * Milliseconds from an arbitrary start that never go back, for TTLs inside a process. The system clock can
   * be set back, which would keep cached values for hours.
   */
  elapsedMs(): number;
};

export function createClock(): Clock {
  return { now: () => new Date(), elapsedMs: () => performance.now() };
}
