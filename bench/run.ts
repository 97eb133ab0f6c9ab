import { readdir } from 'node:fs/promises';

/** `npm run bench -- NAME [options]` runs `bench/NAME.ts`. */
const names = (await readdir(import.meta.dirname, { withFileTypes: true }))
  .filter((entry) => entry.isFile() && /^[a-z-]+\.bench\.ts$/.test(entry.name))
  .map((entry) => entry.name.replace('.bench.ts', ''));
const name = process.argv[2];
if (!name || !names.includes(name)) {
  process.stderr.write(`Usage: npm run bench -- NAME, where NAME is one of ${names.join(', ')}\n`);
  process.exit(1);
}
await import(`./${name}.bench.ts`);
