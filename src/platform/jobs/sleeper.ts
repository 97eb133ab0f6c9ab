/** Creates a sleeper that others can wake. A wake-up while it is not sleeping has no effect. */
export function createSleeper() {
  let wake = () => {};
  return {
    /** Sleeps until woken, for at most `ms` and at most a minute. Resolves with whether it was woken. */
    sleep(ms: number): Promise<boolean> {
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), Math.min(ms, 60_000));
        wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
    },
    wake: () => wake(),
  };
}
