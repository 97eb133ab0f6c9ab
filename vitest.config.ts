import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'test/**/*.test.ts',
      'bench/**/*.test.ts',
      'clients/**/*.test.ts',
    ],
    globalSetup: ['test/global-setup.ts'],
    // Forks, so that a test that starts servers and databases ends with its own process.
    pool: 'forks',
    // Much of a test's time is waiting for others: processes, browsers, leases.
    maxWorkers: Math.max(2, Math.ceil(availableParallelism() * 1.5)),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
