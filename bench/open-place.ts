import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../src/config.ts';
import { openServices } from '../src/open-services.ts';
import { ensurePostgres } from '../src/platform/embedded-postgres/ensure-postgres.ts';

/**
 * Creates a data folder for a benchmark with a running PostgreSQL, and the services to fill it.
 *
 * @param settings environment variables, also in `environment`, for processes that use the same folder
 * @returns `close` stops everything and removes the folder
 */
export async function openPlace(settings: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const environment = { PARLEY_LOG_LEVEL: 'warn', ...settings, PARLEY_DATA_DIR: dataDir };
  const { services, close } = await openServices(readConfig(environment));
  await makeLogFiles(dataDir);
  return {
    dataDir,
    environment,
    services,
    async close() {
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Creates the WAL files in advance. A new database creates them one by one, and every commit waits for that;
 * a used database already has them.
 */
async function makeLogFiles(dataDir: string): Promise<void> {
  const { connection, release } = await ensurePostgres({ dataDir });
  const client = new pg.Client({ ...connection, user: 'postgres', database: 'postgres' });
  await client.connect();
  for (let megabytes = 0; megabytes < 512; megabytes += 16) {
    await client.query("select pg_logical_emit_message(false, 'bench', '')");
    await client.query('select pg_switch_wal()');
  }
  await client.query('checkpoint');
  await client.end();
  await release();
}
