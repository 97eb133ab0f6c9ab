import { readConfig } from '../src/config.ts';
import { start } from '../src/main.ts';

/** The whole service in a process of its own; the test that started it moves its clock by messages. */
const running = await start(readConfig(), { simulator: false });
process.on('message', ({ clockOffsetMs }: { clockOffsetMs: number }) => {
  running.services.clock.offsetMs = clockOffsetMs;
  process.send?.({ clockOffsetMs });
});
process.on('SIGTERM', () => running.close().then(() => process.exit(0)));
process.send?.({ url: running.url });
