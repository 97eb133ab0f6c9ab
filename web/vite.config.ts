import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { UserConfig } from 'vite';
import { compileTexts } from './compile-texts.ts';

/**
 * Libraries are a chunk of their own, so that a release without new libraries leaves it in the caches of
 * browsers. Icons are not part of it, because many releases use another one. What many pages and dialogs share is
 * one chunk too, so that a page does not ask for twenty small files. The rest stays with the pages that use it.
 */
const groups = [
  {
    name: 'vendor',
    test: /[\\/]node_modules[\\/](?!lucide-react[\\/])/,
    tags: ['$initial' as const],
    priority: 2,
  },
  {
    name: 'parts',
    test: /[\\/]web[\\/]parts[\\/]|[\\/]node_modules[\\/]lucide-react[\\/]/,
    tags: ['$initial' as const],
    priority: 1,
  },
  {
    name: 'shared',
    test: /[\\/]web[\\/](parts|texts|dashboard[\\/]src)[\\/]|[\\/]node_modules[\\/]/,
    minShareCount: 7,
    priority: 0,
  },
];

/**
 * Returns the configuration for the build of an application.
 *
 * @param root the folder with its `index.html`
 * @param outDir the folder for the built files
 */
export function configOf(root: string, outDir: string): UserConfig {
  return {
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [react(), tailwindcss(), compileTexts()],
    resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // A data: URL in place of a small file would need a wider content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      manifest: true,
      rolldownOptions: { output: { codeSplitting: { groups } } },
    },
  } as UserConfig;
}
