import { execFile } from 'node:child_process';
import { access, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { inject } from 'vitest';
import { ensurePostgres } from '../../src/platform/embedded-postgres/ensure-postgres.ts';
import { migrate } from '../../src/platform/migrating/migrate.ts';
import { eventually } from '../checks/eventually.ts';

type Contents = 'empty' | 'migrated';

/**
 * Copies a stopped cluster into a data folder, for tests that are not about its creation: initdb takes two
 * seconds of CPU time, and all migrations one.
 */
export async function copyCluster(dataDir: string, contents: Contents = 'empty'): Promise<void> {
  // It preserves owners, which Node's own copy does not: PostgreSQL may run as another user.
  await promisify(execFile)('cp', ['-a', `${await originalCluster(contents)}/.`, dataDir]);
}

/** A data folder that the first worker which needs it creates. The end of the run removes it. */
async function originalCluster(contents: Contents): Promise<string> {
  const cluster = join(inject('scratch'), `${contents}-cluster`);
  const failed = `${cluster}.failed`;
  const isFirst = await mkdir(`${cluster}.begun`).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    try {
      await fill(`${cluster}.unfinished`, contents);
      await rename(`${cluster}.unfinished`, cluster);
    } catch (error) {
      await mkdir(failed);
      throw error;
    }
  }
  await eventually(async () => (await exists(cluster)) || (await exists(failed)));
  if (await exists(failed)) throw new Error('the cluster to copy could not be created');
  return cluster;
}

async function fill(dataDir: string, contents: Contents): Promise<void> {
  await mkdir(dataDir);
  if (contents === 'migrated') await copyCluster(dataDir);
  const { connection, release } = await ensurePostgres({ dataDir, durable: false });
  if (contents === 'migrated') {
    const pool = new pg.Pool(connection);
    // `end` does not wait until the connection is closed, and the server may stop before.
    pool.on('error', () => {});
    await migrate(pool);
    await pool.end();
  }
  await release();
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
