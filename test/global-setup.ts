import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import {
  type EmbeddedPostgres,
  ensurePostgres,
} from '../src/platform/embedded-postgres/ensure-postgres.ts';
import { migrate } from '../src/platform/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A running PostgreSQL with a migrated database `parley` to clone for each test file. */
    postgres: EmbeddedPostgres['connection'];
  }
}

/**
 * One throwaway PostgreSQL for the whole run; its migrated database is the template of all others.
 * `TEST_DATABASE_URL` puts another server in its place: its user must be allowed to make databases.
 */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const postgres = await ensurePostgres({ dataDir, durable: false });
  const pool = new pg.Pool(postgres.connection);
  await migrate(pool);
  await pool.end();
  project.provide('postgres', postgres.connection);

  return async () => {
    await postgres.release();
    await rm(dataDir, { recursive: true, force: true });
  };
}
