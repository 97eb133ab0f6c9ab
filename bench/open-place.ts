import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readConfig } from '../src/config.ts';
import { openServices } from '../src/open-services.ts';
import { ensurePostgres } from '../src/platform/embedded-postgres/ensure-postgres.ts';
import { makeScratchFolder } from '../test/database/scratch.ts';

/**
 * Creates a data folder for a benchmark with a running PostgreSQL, and the services to fill it.
 *
 * @param settings environment variables, also in `environment`, for processes that use the same folder
 * @param parent where the folder is created
 * @param isTimed whether latencies are measured. Otherwise the database is not prepared for it
 * @param copyDatabase fills the data folder. By default a new database is created and migrated
 * @returns `close` stops everything and removes the folder
 */
export async function openPlace(
  settings: Record<string, string> = {},
  {
    parent = tmpdir(),
    isTimed = true,
    copyDatabase,
  }: {
    parent?: string | undefined;
    isTimed?: boolean;
    copyDatabase?: ((dataDir: string) => Promise<void>) | undefined;
  } = {},
) {
  const dataDir = isTimed
    ? await mkdtemp(join(parent, 'parley-bench-'))
    : await makeScratchFolder('parley-bench-');
  await copyDatabase?.(dataDir);
  const environment = { PARLEY_LOG_LEVEL: 'warn', ...settings, PARLEY_DATA_DIR: dataDir };
  const { services, close } = await openServices(readConfig(environment));
  const stopWatching = endWithProcess(dataDir);
  if (isTimed) await makeLogFiles(dataDir);
  return {
    dataDir,
    environment,
    services,
    async close() {
      await close();
      stopWatching();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Stops the PostgreSQL of a folder and removes it if the program ends early, also by Ctrl-C. */
function endWithProcess(dataDir: string): () => void {
  const end = () => {
    const pidFile = join(dataDir, 'postgres', 'data', 'postmaster.pid');
    if (existsSync(pidFile)) {
      const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
      const isRunning = () => existsSync(`/proc/${pid}`);
      if (isRunning()) process.kill(pid, 'SIGQUIT');
      const pause = new Int32Array(new SharedArrayBuffer(4));
      for (let looks = 0; isRunning() && looks < 50; looks++) Atomics.wait(pause, 0, 0, 100);
    }
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  const exit = () => process.exit(1);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  process.once('exit', end);
  for (const signal of signals) process.on(signal, exit);
  return () => {
    process.off('exit', end);
    for (const signal of signals) process.off(signal, exit);
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
