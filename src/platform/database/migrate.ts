import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

const folder = new URL('../../../migrations/', import.meta.url);
/** The advisory lock of migrations: an arbitrary number, the same in every Parley process. */
const migrationLock = 7_241_990_113;

type Migration = { name: string; text: string; checksum: string };

/**
 * Migrates the database to the newest schema. Each file of `migrations/` runs once, in order, in a
 * transaction of its own. Processes that start together wait for the first one.
 *
 * @returns the names of the migrations that ran now
 * @throws Error if the database has a migration that this program does not know, or one that was edited since
 */
export async function migrate(pool: pg.Pool, from: URL = folder): Promise<string[]> {
  const migrations = await readMigrations(from);
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock]);
    await client.query(`
      create table if not exists migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`);
    const done = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from migrations order by name',
    );
    refuseEdited(migrations, done.rows);
    const pending = migrations.slice(done.rows.length);
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {});
    client.release();
  }
}

async function readMigrations(from: URL): Promise<Migration[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, from), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

function refuseEdited(migrations: Migration[], done: { name: string; checksum: string }[]) {
  for (const [index, applied] of done.entries()) {
    const migration = migrations[index];
    if (!migration) {
      throw new Error(
        `The database has migration ${applied.name}, which is newer than this version of Parley. ` +
          'Start the version that created it, or a newer one. The database was not changed.',
      );
    }
    if (migration.name !== applied.name) {
      throw new Error(
        `The database has migration ${applied.name} where this version of Parley has ` +
          `${migration.name}. Databases from before version 1.0.0 cannot be upgraded. Use an empty ` +
          'database (a new PARLEY_DATA_DIR if it is the embedded one), or start the version that ' +
          'created this one. The database was not changed.',
      );
    }
    if (migration.checksum !== applied.checksum) {
      throw new Error(
        `Migration ${applied.name} was edited after it ran on this database. Restore the ` +
          'file and make the change in a new migration.',
      );
    }
  }
}

async function apply(client: pg.PoolClient, migration: Migration) {
  try {
    await client.query('begin');
    await client.query(migration.text);
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
