import { readConfig } from '../src/config.ts';
import { start } from '../src/main.ts';

/** The service's workers, with nothing else in their process. */
const running = await start(readConfig(), { simulator: false });
process.on('SIGTERM', () => running.close().then(() => process.exit()));
process.send?.({ port: 0 });
