import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { migrate } from '../../src/platform/migrating/migrate.ts';
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

test('bots leave conversations to members who were assigned before they did so', async () => {
  const { db, drop } = await createTestDatabase({ isEmpty: true });
  onTestFinished(drop);
  await migrate(db.pool, undefined, { upTo: '0052_counts_of_deleted_messages.sql' });
  await db.pool.query(`
    insert into tenants (slug, name) values ('shop', 'Shop');
    insert into auth."user" ("id", "name", "email", "emailVerified")
    values ('ana', 'Ana', 'ana@example.com', true);
    insert into members (tenant_id, user_id, role) select id, 'ana', 'staff' from tenants;
    insert into numbers (tenant_id, phone_number_id, business_account_id, callback_id, verify_token)
    select id, '1', '1', '1', '1' from tenants;
    insert into conversations (tenant_id, person, number_id, is_open, assignee)
    select tenant_id, person, id, is_open, assignee
    from numbers cross join (values
      ('+14155550001', true, 'ana'), ('+14155550002', false, 'ana'), ('+14155550003', true, null)
    ) as given (person, is_open, assignee)`);
  await migrate(db.pool);
  const { rows } = await db.pool.query('select person from conversations where is_taken');
  expect(rows).toEqual([{ person: '+14155550001' }]);
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
