/**
 * Runs tests of the last release, with its own program, on the schema of this version. Processes of both run side by
 * side during an upgrade. Needs the commit of test/upgrades/last-release.json in the history.
 *
 *     npm run check:last-release [-- FILE ...]
 */
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { checkOutLastRelease } from '../test/upgrades/check-out-last-release.ts';

/** Sends, contacts, webhooks, events, stores and idempotent requests, through the API. */
const chosen = [
  'src/contacts/contacts.test.ts',
  'src/events/events.test.ts',
  'src/idempotency/idempotency.test.ts',
  'src/messages/sending/send-message.test.ts',
  'src/messages/sending/send-template.test.ts',
  'src/stores/store-number.test.ts',
  'src/webhooks/endpoints/endpoints.test.ts',
  'src/webhooks/record-events.test.ts',
];
const files = process.argv.length > 2 ? process.argv.slice(2) : chosen;
const root = join(import.meta.dirname, '..');

const folder = await checkOutLastRelease();
try {
  const vitest = join(folder, 'node_modules/.bin/vitest');
  const { status } = spawnSync(vitest, ['run', '--project=service', ...files], {
    cwd: folder,
    env: { ...process.env, NEWER_MIGRATIONS: join(root, 'migrations/') },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  await rm(folder, { recursive: true });
}
