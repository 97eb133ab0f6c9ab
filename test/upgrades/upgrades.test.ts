import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { migrate } from '../../src/platform/database/migrate.ts';
import { createTestDatabase } from '../database/database.ts';
import { openTestApp, type TestApp, testApp } from '../program/app.ts';
import { accessOf, restoreDump, writeDump } from './dump.ts';
import { fillInstallation } from './fill-installation.ts';
import { readEverything } from './read-everything.ts';

const folder = join(import.meta.dirname, 'releases');
const releases = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.sql'));

const app = testApp();

test('an installation of this version, with rows in every table, can be restored and used', async () => {
  const { version } = packageJson;
  const access = await fillInstallation(app);
  const { text, empty } = await writeDump(app.db.pool, { version, access });
  expect(empty, 'fill-installation.ts leaves no row in these tables').toEqual([]);
  expect(text.length).toBeLessThan(100_000);
  await upgrade(text);
  // Set by `npm run release:fixture`. The fixture of a release is never replaced.
  if (process.env.WRITE_RELEASE) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${version}.sql`), text, { flag: 'wx' });
  }
});

test.each(releases)('an installation of %s can be upgraded and used', async (name) => {
  await upgrade(await readFile(join(folder, name), 'utf8'));
});

/** Restores a dump with the schema of its time, migrates it to this version, and uses it. */
async function upgrade(dump: string) {
  const database = await createTestDatabase({ isEmpty: true });
  await restoreDump(database.db.pool, dump);
  await migrate(database.db.pool);
  const access = accessOf(dump);
  const restored = {} as TestApp;
  const masterKey = Buffer.from(access.masterKey, 'base64');
  onTestFinished(await openTestApp(restored, { database, masterKey }));
  await readEverything(restored, access);
}
