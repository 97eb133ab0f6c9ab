/**
 * Time as this process sees it. The database's `now()` is the one truth for what processes share:
 * limits, expiry and leases.
 */
export type Clock = {
  now(): Date;
  /**
   * Milliseconds that only go forward, from an arbitrary start, for what a process remembers for a
   * while. The system's clock can be set back, which would keep such things for hours.
   */
  elapsedMs(): number;
};

export function createClock(): Clock {
  return { now: () => new Date(), elapsedMs: () => performance.now() };
}
