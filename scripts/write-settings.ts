import { readFile, writeFile } from 'node:fs/promises';
import { describeSettings } from '../src/config.ts';

/** Writes `.env.example` from the settings. With `--check`, it only reports whether the file is current. */
const path = new URL('../.env.example', import.meta.url);
const text = describeSettings();
if (process.argv.includes('--check')) {
  if ((await readFile(path, 'utf8').catch(() => '')) !== text) {
    process.stderr.write('.env.example is stale: run `npm run settings`.\n');
    process.exit(1);
  }
} else {
  await writeFile(path, text);
}
