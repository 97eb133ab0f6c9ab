import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import {
  type EmbeddedPostgres,
  ensurePostgres,
} from '../../src/platform/embedded-postgres/ensure-postgres.ts';
import { migrate } from '../../src/platform/migrating/migrate.ts';
import { testClockSchema } from '../database/database.ts';
import { emptyDatabase } from '../database/empty-database.ts';
import { makeScratchFolder } from '../database/scratch.ts';
import { storedMessagesView } from '../database/stored-messages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A running PostgreSQL with a migrated database `parley`, which each test file clones. */
    postgres: EmbeddedPostgres['connection'];
    /** A folder for files that test files share. It is removed at the end of the run. */
    scratch: string;
  }
}

/**
 * Starts one throwaway PostgreSQL for the whole run. Its migrated database is the template of all others.
 * `TEST_DATABASE_URL` replaces it by another server, whose user must be allowed to create databases.
 */
export default async function setup(project: TestProject) {
  const url = process.env.TEST_DATABASE_URL;
  const { connection, end } = url ? await prepareServer(url) : await startServer();
  const pool = new pg.Pool(connection);
  await migrate(pool);
  // A later version runs these tests on its schema (`npm run check:last-release`).
  const newer = process.env.NEWER_MIGRATIONS;
  if (newer) await migrate(pool, pathToFileURL(newer));
  await pool.query(testClockSchema);
  await pool.query(storedMessagesView);
  await pool.query(emptyDatabase);
  await pool.end();
  const scratch = await makeScratchFolder('parley-shared-');
  // PostgreSQL may run as another user, who must pass through.
  await chmod(scratch, 0o711);
  project.provide('postgres', connection);
  project.provide('scratch', scratch);
  // Workers and what they start inherit these.
  process.env.TEST_PROGRAMS = join(scratch, 'programs');
  process.env.NODE_COMPILE_CACHE = join(scratch, 'compiled');
  return async () => {
    await end();
    // Processes that end may still write to it.
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
  };
}

type Server = { connection: EmbeddedPostgres['connection']; end(): Promise<void> };

async function startServer(): Promise<Server> {
  const dataDir = await makeScratchFolder('parley-test-');
  const postgres = await ensurePostgres({ dataDir, durable: false });
  return {
    connection: postgres.connection,
    async end() {
      await postgres.release();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates a new template database on a running server. */
async function prepareServer(url: string): Promise<Server> {
  const database = 'parley_test_template';
  const { hostname, port, username, password, searchParams } = new URL(url);
  const connection = {
    host: searchParams.get('host') ?? hostname,
    port: Number(port || searchParams.get('port') || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database,
  };
  const run = async (statement: string) => {
    const client = new pg.Client({ ...connection, database: 'postgres' });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`drop database if exists ${database} with (force)`);
  await run(`create database ${database} template template0 encoding 'UTF8'`);
  return { connection, end: () => run(`drop database if exists ${database} with (force)`) };
}
