/**
 * Creates the timer of a collector, which gathers in memory and writes to the database every few seconds, so that a
 * flood of requests costs few statements.
 *
 * @param write writes what was gathered since the last call. Two never run at once. It must not reject: it keeps what
 *   could not be written, and schedules the next write
 */
export function createFlusher(everyMs: number, write: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> = Promise.resolve();

  /** Writes now. To be awaited before the database closes. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    underWay = underWay.then(write);
    return underWay;
  }

  return {
    /** Writes after `everyMs`, unless a write is scheduled already. */
    schedule(): void {
      timer ??= setTimeout(flush, everyMs).unref();
    },
    flush,
  };
}
