/**
 * Runs tests of the last release, with its own program, on the schema of this version. Processes of both run side by
 * side during an upgrade. Needs the commit of test/upgrades/last-release.json in the history.
 *
 *     npm run check:last-release [-- FILE ...]
 */
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOutLastRelease } from '../test/upgrades/check-out-last-release.ts';

/** Sends, contacts, webhooks, events, stores and idempotent requests, through the API. */
const chosen = [
  'src/contacts/contacts.test.ts',
  'src/events/events.test.ts',
  'src/idempotency/idempotency.test.ts',
  'src/messages/sending/send-message.test.ts',
  '/send-template.test.ts',
  'src/stores/store-number.test.ts',
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
