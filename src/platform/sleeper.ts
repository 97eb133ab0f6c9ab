/** One sleeper and those who wake it; a wake while nobody sleeps is lost. */
export function createSleeper() {
  let wake = () => {};
  return {
    /** Until woken, or so long, a minute at most; says whether it was woken. */
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
