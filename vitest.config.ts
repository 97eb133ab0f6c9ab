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
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
