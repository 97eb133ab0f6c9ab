import { createHash } from 'node:crypto';
import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeTables, type Table } from '../../src/backup/tables/describe-tables.ts';
import { migrate } from '../../src/platform/migrating/migrate.ts';
import { makeScratchFolder } from '../database/scratch.ts';
import type { TestApp } from '../program/app.ts';
import type { Access } from './fill-installation.ts';

type Pool = TestApp['db']['pool'];

const migrations = join(import.meta.dirname, '../../migrations');

/**
 * Writes the rows of an installation as SQL, in the order of the foreign keys. The schema is not part of it: the
 * dump names the migrations that created it, with their checksums.
 *
 * @returns the text, and the tables without a row
 */
export async function writeDump(
  pool: Pool,
  { version, access }: { version: string; access: Access },
): Promise<{ text: string; empty: string[] }> {
  const applied = await pool.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  );
  const parts = [
    `-- An installation of Parley ${version}, written by \`npm run release:fixture\`. Never edited.`,
    `-- access ${JSON.stringify(access)}`,
    ...applied.rows.map(({ name, checksum }) => `-- migration ${name} ${checksum}`),
  ];
  const empty: string[] = [];
  for (const table of await describeTables(pool)) {
    if (table.name === 'migrations') continue;
    const rows = await writeRows(pool, table);
    if (rows) parts.push('', rows);
    else empty.push(table.name);
  }
  const sequences = await pool.query<{ text: string }>(`
    select format('select setval(%L, %s);', format('%I.%I', schemaname, sequencename), last_value) as text
    from pg_sequences where schemaname in ('public', 'auth') and last_value is not null order by 1`);
  parts.push('', ...sequences.rows.map(({ text }) => text), '', neverExpire, '');
  return { text: parts.join('\n'), empty };
}

/** Sessions and idempotency keys would otherwise be expired by the time of a test. */
const neverExpire = `update auth."session" set "expiresAt" = now() + interval '30 days';
update idempotency_keys set created_at = now(), held_until = now() + interval '1 day';`;

/** Returns an insert of all rows; undefined if there are none. */
async function writeRows(pool: Pool, { name: table, columns: names }: Table) {
  const values = names.map((name) => `quote_nullable(${name}::text)`).join(', ');
  const { rows } = await pool.query<{ text: string }>(
    `select concat_ws(', ', ${values}) as text from ${table} order by 1`,
  );
  if (rows.length === 0) return undefined;
  const lines = rows.map(({ text }) => `  (${text})`);
  return `insert into ${table} (${names.join(', ')}) overriding system value values\n${lines.join(',\n')};`;
}

/** Reads the part of a dump that a test needs before it restores it. */
export function accessOf(dump: string): Access {
  return JSON.parse(/^-- access (.*)$/m.exec(dump)![1]!);
}

/**
 * Restores a dump into an empty database, with the schema of its time.
 *
 * @throws Error if a migration was edited since
 */
export async function restoreDump(pool: Pool, dump: string): Promise<void> {
  const folder = await makeScratchFolder('parley-migrations-');
  try {
    for (const [, name, checksum] of dump.matchAll(/^-- migration (\S+) (\S+)$/gm)) {
      const text = await readFile(join(migrations, name!), 'utf8');
      if (createHash('sha256').update(text).digest('hex') !== checksum) {
        throw new Error(
          `${name} was edited after the release. Make the change in a new migration.`,
        );
      }
      await copyFile(join(migrations, name!), join(folder, name!));
    }
    await migrate(pool, pathToFileURL(`${folder}/`));
  } finally {
    await rm(folder, { recursive: true });
  }
  // Migrations insert rows too.
  for (const table of ['message_walks', 'schema_compatibility']) {
    await pool.query(`do $$ begin
      if to_regclass('${table}') is not null then delete from ${table}; end if;
    end $$`);
  }
  // Triggers would change what is restored.
  const { rows } = await pool.query<{ name: string }>(`
    select distinct tgrelid::regclass::text as name from pg_trigger where not tgisinternal`);
  const switchTriggers = (how: string) =>
    rows.map(({ name }) => `alter table ${name} ${how} trigger user;`).join('\n');
  await pool.query(`${switchTriggers('disable')} ${dump} ${switchTriggers('enable')}`);
}
