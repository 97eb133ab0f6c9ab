import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './test/suite/slowest-first.ts';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'bench/**/*.test.ts',
      'attack/**/*.test.ts',
      'clients/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    globalSetup: ['test/suite/global-setup.ts'],
    // Forks, so that a test that starts servers and databases ends with its own process.
    pool: 'forks',
    // Three files at once on two cores: a third of a file's time is waiting for processes, browsers and
    // databases. A fourth only takes from the others.
    maxWorkers: 3,
    // The files of a worker share its modules, which else cost each of them a second. What a file
    // needs for itself (app, database, simulator, ports) it makes, and ends when it is done.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    // The processes that tests start compile once, as `bin/parley` has it.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/parley', import.meta.url)),
    },
    // Only to end what hangs: how fast a machine is must decide nothing.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
