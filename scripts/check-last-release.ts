/**
 * Runs tests of the last release, with its own program, on the schema of this version. Processes of both run side by
 * side during an upgrade. Needs the commit of test/upgrades/last-release.json in the history. If the usual tests pass, it
 * writes the checksums of the migrations into that file.
 *
 *     npm run check:last-release [-- FILE ...]
 */
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readMigrations } from '../src/platform/migrating/migrate.ts';
import { checkOutLastRelease } from '../test/upgrades/check-out-last-release.ts';
import lastRelease from '../test/upgrades/last-release.json' with { type: 'json' };

/** Sends, contacts, webhooks, events, stores and idempotent requests, through the API. */
const chosen = [
  'src/contacts/contacts.test.ts',
  'src/events/events.test.ts',
  'src/idempotency/idempotency.test.ts',
  'src/messages/sending/send-message.test.ts',
  '/send-template.test.ts',
  'src/stores/setup/store-number.test.ts',
  'src/webhooks/endpoints/endpoints.test.ts',
  'src/webhooks/record-events.test.ts',
];
const files = process.argv.length > 2 ? process.argv.slice(2) : chosen;
const root = join(import.meta.dirname, '..');

const folder = await checkOutLastRelease();
try {
  const vitest = join(folder, 'node_modules/.bin/vitest');
  const newer = await copyMigrations(join(folder, 'newer-migrations'));
  const { status } = spawnSync(vitest, ['run', '--project=service', ...files], {
    cwd: folder,
    env: { ...process.env, NEWER_MIGRATIONS: newer },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
  if (status === 0 && files === chosen) await recordMigrations();
} finally {
  await rm(folder, { recursive: true });
}

/**
 * Copies the migrations of this version for the tests of the last release, which run them with its own program. That
 * may not know how to build an index while others write, and the tables of a test are empty.
 *
 * @returns the folder, with a slash at its end
 */
async function copyMigrations(to: string): Promise<string> {
  const from = join(root, 'migrations');
  await mkdir(to);
  for (const name of await readdir(from)) {
    const text = await readFile(join(from, name), 'utf8');
    await writeFile(join(to, name), text.replaceAll(' index concurrently ', ' index '));
  }
  return `${to}/`;
}

/** Records the migrations of this version, with which the last release was checked. They are never edited from then on. */
async function recordMigrations(): Promise<void> {
  const file = join(root, 'test/upgrades/last-release.json');
  const migrations = (await readMigrations()).map(({ name, checksum }) => [name, checksum]);
  const recorded = { ...lastRelease, migrations: Object.fromEntries(migrations) };
  await writeFile(file, `${JSON.stringify(recorded, null, 2)}\n`);
}
