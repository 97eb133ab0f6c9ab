import { expect, test } from 'vitest';
import { readMigrations } from '../../src/platform/migrating/migrate.ts';
import { numberOf } from '../../src/platform/migrating/schema-version.ts';
import { findBlocking } from './find-blocking.ts';

/** The first migration that must not block writes. Installations have run the earlier ones. */
const first = 32;

test('no migration blocks writes to a large table while it builds an index', async () => {
  const migrations = await readMigrations();
  for (const { name, text } of migrations.filter((each) => numberOf(each.name) >= first)) {
    expect(
      findBlocking(text),
      `${name} blocks writes to these tables. Build the index concurrently, in a migration of its own: see CONTRIBUTING.md.`,
    ).toEqual([]);
  }
});

test.each([
  ['create index on contacts (tenant_id, email)', ['contacts']],
  ['CREATE UNIQUE INDEX IF NOT EXISTS contacts_email\n  ON ONLY contacts (email)', ['contacts']],
  ['create index contacts_email -- of people\n on contacts (email)', ['contacts']],
  [
    'create index a on messages (id); create index b on deliveries (id)',
    ['messages', 'deliveries'],
  ],
  ['alter table contacts add place int, add unique (tenant_id, place)', ['contacts']],
  ['alter table contacts add place int unique', ['contacts']],
  ['alter table events add constraint named primary key (id)', ['events']],
  ['create index concurrently if not exists contacts_email on contacts (email)', []],
  ['-- create index on contacts (email)', []],
  ['create table visits (id bigint primary key); create index on visits (id)', []],
  ['create index on numbers (tenant_id, name)', []],
  ['alter table contacts add constraint named unique using index contacts_email', []],
  ['alter table contacts add birthday date; alter table numbers add unique (name)', []],
])('%s', (migration, blocked) => {
  expect(findBlocking(migration)).toEqual(blocked);
});
