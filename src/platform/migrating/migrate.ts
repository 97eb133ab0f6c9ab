import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { allowLongTransactions } from '../connections/connection-settings.ts';
import { migrationLock } from '../database/advisory-locks.ts';
import { isLockTimeout } from '../database/failures/error-codes.ts';
import { retryDeadlock } from '../database/failures/retry-deadlock.ts';
import { buildIndexes, isOfIndexes } from './build-indexes.ts';
import { createWaits, describeSessions, type OnWait, type Waits } from './migration-waits.ts';
import {
  findOlderProcesses,
  findOldestProgram,
  migrationsFolder,
  numberOf,
} from './schema-version.ts';

const lockEveryMs = 50;

/** A migration that waits for the lock of a table, as behind a backup, makes all later statements on that table wait. */
const maxLockWait = '1s';
const betweenAttemptsMs = 1_000;

export type Migration = { name: string; text: string; checksum: string };

/**
 * Migrates the database to the newest schema. Each file of `migrations/` runs once, in order, in a
 * transaction of its own, or statement by statement if it only has indexes. A transaction that cannot get a lock is tried
 * again until it can. Processes that start together wait for the first one, and nobody waits if nothing is to be done.
 *
 * @param given.upTo the last migration to run, for the schema of an earlier version
 * @param given.only the names of those to run, for the schema of a backup
 * @param given.onWait gets the reason of a wait that takes some seconds, and again each minute. What it throws ends the
 *   wait
 * @returns the names of the migrations that ran now
 * @throws Error if the schema is too new for this program, or a migration was edited since it ran, or an older
 *   process still runs that the new schema would break
 */
export async function migrate(
  pool: pg.Pool,
  from: URL = migrationsFolder,
  {
    upTo,
    only,
    onWait = () => {},
  }: { upTo?: string; only?: ReadonlySet<string>; onWait?: OnWait } = {},
): Promise<string[]> {
  const migrations = (await readMigrations(from)).filter(
    ({ name }) => (upTo === undefined || name <= upTo) && (!only || only.has(name)),
  );
  if ((await findPending(pool, migrations)).length === 0) return [];
  const ran: string[] = [];
  // An older process waits for the lock in one statement, for which the build of an index waits in turn.
  const waits = createWaits(onWait);
  await retryDeadlock(() => runPending(pool, migrations, ran, waits));
  return ran;
}

async function runPending(
  pool: pg.Pool,
  migrations: Migration[],
  ran: string[],
  waits: Waits,
): Promise<void> {
  const client = await pool.connect();
  // If the connection is lost, the statement under way fails.
  const ignore = () => {};
  client.on('error', ignore);
  try {
    await allowLongTransactions(client);
    await lock(client, waits);
    await client.query(`
      create table if not exists migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`);
    for (const migration of await findPending(client, migrations)) {
      await apply(client, migration, waits);
      ran.push(migration.name);
    }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {});
    // Fails before PostgreSQL 17, which does not have it.
    await client.query('reset transaction_timeout').catch(() => {});
    client.off('error', ignore);
    client.release();
  }
}

/**
 * Waits between statements and not in one, because the build of an index waits for every statement that began before
 * it.
 */
async function lock(client: pg.PoolClient, waits: Waits): Promise<void> {
  waits.begin();
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1) as locked',
      [migrationLock],
    );
    if (rows[0]!.locked) return;
    await waits.report(async () => {
      const holders = await describeSessions(
        client,
        `pid in (select pid from pg_locks where locktype = 'advisory' and granted and objsubid = 1
                 and (classid::bigint << 32) + objid::bigint = ${migrationLock})`,
      );
      return `another process migrates the database: ${holders}`;
    });
    await sleep(lockEveryMs);
  }
}

/** Migrations are missing: some, or all of a new database. */
export class SchemaTooOld extends Error {
  override name = 'SchemaTooOld';
  readonly isNew: boolean;

  constructor(pending: Migration[], all: Migration[]) {
    const more = pending.length === 1 ? '' : ` and ${pending.length - 1} more`;
    super(
      `The schema of the database is too old for this version of Parley: ${pending[0]!.name}${more} did not run. Run \`parley migrate\`.`,
    );
    this.isNew = pending.length === all.length;
  }
}

/**
 * Checks that this program can use the database as it is.
 *
 * @throws SchemaTooOld, or Error if the schema is too new for this program
 */
export async function checkSchema(pool: pg.Pool, from: URL = migrationsFolder): Promise<void> {
  const migrations = await readMigrations(from);
  const pending = await findPending(pool, migrations);
  if (pending.length > 0) throw new SchemaTooOld(pending, migrations);
}

/** @throws Error if the schema is too new, or a migration was edited */
async function findPending(
  client: pg.Pool | pg.PoolClient,
  migrations: Migration[],
): Promise<Migration[]> {
  const { rows } = await client.query("select to_regclass('migrations') is not null as known");
  if (!rows[0].known) return migrations;
  const done = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from migrations order by name',
  );
  refuseEdited(migrations, done.rows);
  const numbers = new Set(migrations.map(({ name }) => numberOf(name)));
  const unknown = done.rows.find(({ name }) => !numbers.has(numberOf(name)));
  const newest = numberOf(migrations.at(-1)?.name ?? '0');
  if (unknown && (await findOldestProgram(client)) > newest) throw tooNew(unknown.name);
  // Not only the last ones: of two changes that are made at the same time, the one with the higher number can land first.
  const applied = new Set(done.rows.map(({ name }) => name));
  return migrations.filter(({ name }) => !applied.has(name));
}

function tooNew(name: string): Error {
  return new Error(
    `The database has migration ${name}, which is newer than this version of Parley and does not work with it. ` +
      'Start the version that created it, or a newer one. The database was not changed.',
  );
}

export async function readMigrations(from: URL = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(from)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, from), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

function refuseEdited(migrations: Migration[], done: { name: string; checksum: string }[]) {
  const byNumber = new Map(migrations.map((migration) => [numberOf(migration.name), migration]));
  for (const applied of done) {
    const migration = byNumber.get(numberOf(applied.name));
    if (!migration) continue;
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

/** A process that is too old for the new schema would fail in the middle of its requests. */
async function refuseOlderProcesses(client: pg.PoolClient): Promise<void> {
  const [version] = await findOlderProcesses(client, await findOldestProgram(client));
  if (version === undefined) return;
  throw new Error(
    `processes of an older version run, which knows migrations up to ${version} and would not work afterwards. Replace them by the version before this one first, or stop them.`,
  );
}

async function apply(client: pg.PoolClient, migration: Migration, waits: Waits) {
  if (isOfIndexes(migration.text)) {
    await buildIndexes(client, migration.text).catch((error) => throwFailed(migration, error));
  }
  waits.begin();
  while (!(await runOnce(client, migration))) {
    await waits.report(async () => {
      const open = await describeSessions(client, 'xact_start is not null');
      return `migration ${migration.name} waits for a table that open transactions use: ${open}`;
    });
    await sleep(betweenAttemptsMs);
  }
}

/** Runs the transaction of a migration. Returns false if it could not get a lock in time, and did nothing. */
async function runOnce(client: pg.PoolClient, migration: Migration): Promise<boolean> {
  const { name, text, checksum } = migration;
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = '${maxLockWait}'`);
    if (!isOfIndexes(text)) await client.query(text);
    await refuseOlderProcesses(client);
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if (isLockTimeout(error)) return false;
    return throwFailed(migration, error as Error);
  }
}

function throwFailed({ name }: Migration, cause: Error): never {
  throw new Error(`Migration ${name} failed: ${cause.message}`, { cause });
}
