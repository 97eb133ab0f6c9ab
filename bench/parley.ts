import { readConfig } from '../src/config.ts';
import { start } from '../src/main.ts';

/** The service, which reports its port to the benchmark that started it. */
const running = await start(readConfig(), { simulator: false });
process.on('SIGTERM', () => running.close().then(() => process.exit(0)));
process.send?.({ port: Number(new URL(running.url).port) });
