import { readConfig } from '../../src/config.ts';
import { start } from '../../src/main.ts';

/** The whole service in its own process. */
const running = await start(readConfig(), { simulator: false });
process.on('SIGTERM', () => running.close().then(() => process.exit(0)));
process.send?.({ url: running.url });
