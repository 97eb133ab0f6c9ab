/** A process that uses less than this share of a core is idle, ... */
const idleShare = 0.05;
/** ... and one below this can pause now and then, such as one that retries deliveries to a receiver that is down. */
const calmShare = 0.15;
/** The minimum growth that is worth the cost of a release, ... */
const minGrowthBytes = 16 * 2 ** 20;
/** ... and the minimum soon after the last one, as with many new connections. */
const muchGrowthBytes = 64 * 2 ** 20;

/**
 * Gives memory back to the machine while the process is idle: code that only ran at the start, and pages that V8 keeps
 * for later. V8 releases these when its heap is full, which does not happen to a small service. This pauses the process
 * for 0.1 to 0.2 s, so a busy process is left alone, and one that is not quite idle has long rests. Needs Node's flag
 * `--expose-gc`, which bin/parley sets.
 *
 * @param everyMs how often to look
 * @param restMs how long to rest after a release, unless memory has grown by much
 * @returns stops it
 */
export function releaseMemoryWhenIdle(everyMs = 60_000, restMs = 600_000): () => void {
  const { gc } = globalThis;
  if (!gc) return () => {};
  let usage = process.cpuUsage();
  let at = performance.now();
  let releasedAt = Number.NEGATIVE_INFINITY;
  let releasedBytes = 0;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(usage);
    const now = performance.now();
    const share = (user + system) / 1_000 / (now - at);
    const isRested = now - releasedAt > restMs;
    const worthBytes = isRested ? minGrowthBytes : muchGrowthBytes;
    if (
      share < (isRested ? calmShare : idleShare) &&
      process.memoryUsage.rss() > releasedBytes + worthBytes
    ) {
      gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      releasedAt = performance.now();
      releasedBytes = process.memoryUsage.rss();
    }
    usage = process.cpuUsage();
    at = performance.now();
  }, everyMs).unref();
  return () => clearInterval(timer);
}
