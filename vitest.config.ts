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
    // Tests that race real processes, browsers and databases lose a race when others take the cores:
    // files run one after the other, and what failed is tried again before it counts.
    maxWorkers: 1,
    retry: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
