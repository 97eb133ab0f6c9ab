import { randomBytes } from 'node:crypto';
import pg from 'pg';
import sql from 'sql-template-tag';
import { inject } from 'vitest';
import {
  type Database,
  type Db,
  openDatabase,
  type ReadKind,
} from '../../src/platform/database/database.ts';
import { recordStatements, type Statements } from './record-statements.ts';

export type TestDatabase = {
  connection: pg.PoolConfig;
  db: Database;
  /** What the program ran in it. */
  statements: Statements;
  drop(): Promise<void>;
};

/**
 * Creates a database for a test, cloned from the migrated one, and a function that drops it.
 *
 * @param isEmpty whether to create it without any migration
 * @param readTimeoutsMs those of the program, if they matter
 */
export async function createTestDatabase({
  isEmpty = false,
  readTimeoutsMs,
}: {
  isEmpty?: boolean;
  readTimeoutsMs?: Record<ReadKind, number>;
} = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const server = inject('postgres');
  const template = isEmpty ? `template0 encoding 'UTF8'` : server.database;
  // The files of the template are copied: through the log of PostgreSQL it would take ten times as long.
  await asAdministrator(
    // Two files that clone the template at once would refuse each other.
    'select pg_advisory_lock(1)',
    `create database ${name} template ${template} strategy file_copy`,
    ...(isEmpty ? [] : [`alter database ${name} set search_path = public, test_clock, pg_catalog`]),
  );
  const connection = { ...server, database: name };
  // A test that cuts connections on purpose expects these errors; other tests fail later.
  const db = openDatabase(connection, {
    onError: () => {},
    ...(readTimeoutsMs && { readTimeoutsMs }),
  });
  return {
    connection,
    db,
    statements: recordStatements(db),
    async drop() {
      await db.close();
      await dropDatabase(name);
    },
  };
}

/**
 * Drops without force first. The server then waits some seconds for closing connections, whose clients would
 * otherwise emit an unhandled error, and ends an autovacuum automatically.
 */
async function dropDatabase(name: string): Promise<void> {
  try {
    await asAdministrator(`drop database if exists ${name}`);
  } catch (error) {
    if ((error as { code?: string }).code !== objectInUse) throw error;
    await asAdministrator(`drop database if exists ${name} with (force)`);
  }
}

const objectInUse = '55006';

async function asAdministrator(...statements: string[]): Promise<void> {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Replaces `now()` in the databases of tests, whose `search_path` has this schema, by the real time plus an
 * offset. Column defaults keep the real time.
 */
export const testClockSchema = `
  create schema test_clock;
  create table test_clock.setting (id int primary key, offset_ms float8 not null);
  insert into test_clock.setting values (1, 0);
  create function test_clock.now() returns timestamptz language sql stable parallel safe as
    'select pg_catalog.now() + offset_ms * interval ''1 ms'' from test_clock.setting where id = 1';
  grant usage on schema test_clock to public;
  grant select on test_clock.setting to public`;

/** Moves `now()` of a test's database, for every process that uses it. */
export async function moveDatabaseClock(db: Db, offsetMs: number): Promise<void> {
  await db.query(sql`update test_clock.setting set offset_ms = ${offsetMs}`);
}
