import { setTimeout as pause } from 'node:timers/promises';
import '../test/program/service-main.ts';

/**
 * The service under attack, in its own process with `--expose-gc`. On request it reports its memory: what is still
 * in use after a full collection, and the resident set.
 */
export type Memory = { liveMb: number; residentMb: number };

process.on('message', async () => {
  // Twice, with a pause: finalisers of the first collection free buffers for the second.
  globalThis.gc?.();
  await pause(200);
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const toMb = (bytes: number) => Math.round(bytes / 1_048_576);
  process.send?.({ liveMb: toMb(heapUsed + external), residentMb: toMb(rss) } satisfies Memory);
});
