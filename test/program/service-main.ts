import { flushCompileCache } from 'node:module';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/main.ts';

/** The whole service in its own process, with the settings of its environment. */
const running = await start(readConfig(), { simulator: false });
process.on('SIGTERM', () => running.close().then(() => process.exit(0)));
const { url } = running;
process.send?.({ url, port: Number(new URL(url).port) });
// Tests kill this process, and only its end would keep what it compiled.
flushCompileCache();
