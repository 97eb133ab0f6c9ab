import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, readMigrations } from '../../src/platform/migrating/migrate.ts';
import { findOldestProgram, numberOf } from '../../src/platform/migrating/schema-version.ts';
import { createTestDatabase } from '../database/database.ts';
import { describeSchema, type Schema } from './describe-schema.ts';
import { findBroken } from './find-broken.ts';
import lastRelease from './last-release.json' with { type: 'json' };

let released: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
let before: Schema;

beforeAll(async () => {
  released = await createTestDatabase({ isEmpty: true });
  await migrate(released.db.pool, undefined, { upTo: lastRelease.newestMigration });
  client = new pg.Client(released.connection);
  await client.connect();
  before = await describeSchema(client);
});

afterAll(async () => {
  await client.end();
  await released.drop();
});

test('the program of the last release can run on the schema of this version', async () => {
  const { db, drop } = await createTestDatabase();
  try {
    const broken = findBroken(before, await describeSchema(db.pool));
    expect(
      broken,
      'Migrations must leave what the last release uses: see CONTRIBUTING.md. What it does not use can be listed in last-release.json.',
    ).toEqual(lastRelease.unused);
    expect(await findOldestProgram(db.pool)).toBeLessThanOrEqual(
      numberOf(lastRelease.newestMigration),
    );
  } finally {
    await drop();
  }
});

/** The checksums of the migrations with which `npm run check:last-release` was run. */
const checked: Record<string, string> = lastRelease.migrations;

test('no migration was edited after it had landed', async () => {
  const migrations = await readMigrations();
  const now = Object.fromEntries(migrations.map(({ name, checksum }) => [name, checksum]));
  expect(
    now,
    'Every installation with the migration would refuse to start. Restore the file, and make the change in a new one.',
  ).toMatchObject(checked);
});

test('a migration that writes functions or triggers was checked with the program of the last release', async () => {
  const unchecked = (await readMigrations()).filter(
    ({ name, text }) => !checked[name] && /\b(function|trigger)\b/i.test(text),
  );
  expect(
    unchecked.map(({ name }) => name),
    'Run npm run check:last-release, and commit last-release.json.',
  ).toEqual([]);
});

/** Returns what a migration would break. */
async function brokenBy(migration: string): Promise<string[]> {
  await client.query('begin');
  try {
    await client.query(migration);
    return findBroken(before, await describeSchema(client));
  } finally {
    await client.query('rollback');
  }
}

const breaking: [migration: string, broken: string][] = [
  ['drop table rejected_events', 'rejected_events was removed'],
  ['alter table bots rename to replies', 'bots was removed'],
  ['alter table contacts drop column metadata', 'contacts: column metadata was removed'],
  ['alter table contacts rename email to mail', 'contacts: column email was removed'],
  [
    'alter table contacts alter email type varchar(50)',
    'contacts: column email is character varying(50), not text',
  ],
  ['alter table contacts alter email set not null', 'contacts: column email is required'],
  [
    'alter table contacts alter created_at drop default',
    'contacts: column created_at has no default any more',
  ],
  [
    'alter table contacts add birthday date not null',
    'contacts: new column birthday is required and has no default',
  ],
  [
    'alter table contacts add check (length(firstname) < 10)',
    'contacts: new constraint CHECK ((length(firstname) < 10))',
  ],
  [
    'create unique index on contacts (tenant_id, email)',
    'contacts: new constraint UNIQUE INDEX USING btree (tenant_id, email)',
  ],
  [
    'alter table contacts add place int not null default 0, add unique (tenant_id, place)',
    'contacts: new constraint UNIQUE (tenant_id, place)',
  ],
  [
    'alter table contacts add place int not null default 0 unique',
    'contacts: new constraint UNIQUE (place)',
  ],
  [
    'alter table send_rates drop constraint send_rates_pkey',
    'send_rates: PRIMARY KEY (tenant_id, limited) was removed',
  ],
  ['drop function phone_identity cascade', 'phone_identity(text) was removed'],
  [
    'drop trigger advance_updated_at on contacts',
    'contacts: trigger advance_updated_at was removed',
  ],
];

test('a migration that breaks the last release is found', async () => {
  for (const [migration, broken] of breaking) {
    expect((await brokenBy(migration)).join('\n'), migration).toContain(broken);
  }
});

const expanding = [
  'create table birthdays (tenant_id bigint primary key, day date not null)',
  'alter table contacts add birthday date, add unique (tenant_id, birthday)',
  "alter table contacts add place int not null default 0, add language text not null default 'en'",
  'alter table contacts add days int not null default 0 check (days < 9)',
  'create index on contacts (tenant_id, email)',
  'create function age(date) returns int language sql return 1',
  'alter table contacts alter firstname set default null',
];

test('a migration that only expands breaks nothing', async () => {
  for (const migration of expanding) expect(await brokenBy(migration), migration).toEqual([]);
});
