/**
 * Time as the service sees it. The database's clock is the one truth for what processes share
 * (limits, expiry, leases); `offsetMs` is added to it, so a test moves both by one number.
 */
export type Clock = {
  now(): Date;
  /**
   * Milliseconds that only go forward, from any beginning: for what a process remembers for a while.
   * The system's clock can be set back, and then would keep it for hours.
   */
  elapsedMs(): number;
  offsetMs: number;
};

export function createClock(): Clock {
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
