import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { componentBrowser } from './test/browser/launch-browser.ts';
import { SlowestFirst } from './test/suite/slowest-first.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether component tests have the packaged Chromium and its fonts, so that pictures can be compared. */
    hasPackagedBrowser: boolean;
  }
}

const { options, isPackaged } = await componentBrowser();

export default defineConfig({
  test: {
    // Three files at once on two cores: a third of a file's time is waiting for processes, browsers and
    // databases. A fourth only takes from the others.
    maxWorkers: 3,
    // The files of a worker share its modules, which else cost each of them a second. What a file
    // needs for itself (app, database, simulator, ports) it makes, and ends when it is done.
    isolate: false,
    sequence: { sequencer: SlowestFirst },
    // Only to end what hangs: how fast a machine is must decide nothing.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: [
            'src/**/*.test.ts',
            'test/**/*.test.ts',
            'bench/**/*.test.ts',
            'attack/**/*.test.ts',
            'clients/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          globalSetup: ['test/suite/global-setup.ts'],
          // Node reads TypeScript itself.
          experimental: { viteModuleRunner: false },
          // Forks, so that a test that starts servers and databases ends with its own process.
          pool: 'forks',
          // Tests make much that is soon garbage: a tenth of their processor time is saved.
          execArgv: ['--max-semi-space-size=64'],
        },
      },
      {
        extends: true,
        plugins: [react(), tailwindcss()],
        // Found while tests run otherwise, which would load the page again.
        optimizeDeps: {
          include: [
            'axe-core',
            'cmdk',
            'radix-ui',
            'lucide-react',
            'react-dom/client',
            'use-intl/core',
          ],
        },
        test: {
          name: 'components',
          include: ['web/**/*.test.tsx'],
          setupFiles: ['web/gallery/prepare-page.ts'],
          provide: { hasPackagedBrowser: isPackaged },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            expect: {
              toMatchScreenshot: {
                timeout: 60_000,
                resolveScreenshotPath: ({ root, arg, ext }) =>
                  `${root}/web/gallery/pictures/${arg}${ext}`,
              },
            },
            instances: [{ browser: 'chromium' }],
            provider: playwright({
              launchOptions: options,
              contextOptions: { reducedMotion: 'reduce', timezoneId: 'UTC', locale: 'en-GB' },
            }),
          },
        },
      },
    ],
  },
});
