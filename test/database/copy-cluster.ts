import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { ensurePostgres } from '../../src/platform/embedded-postgres/ensure-postgres.ts';

/** A data folder with a stopped cluster, created once in each worker. The end of the run removes it. */
let original: Promise<string> | undefined;

/**
 * Copies an empty cluster into a data folder, for tests that are not about its creation: initdb takes more
 * than a second of CPU time.
 */
export async function copyCluster(dataDir: string): Promise<void> {
  original ??= createCluster();
  // It preserves owners, which Node's own copy does not: PostgreSQL may run as another user.
  await promisify(execFile)('cp', ['-a', `${await original}/.`, dataDir]);
}

async function createCluster(): Promise<string> {
  const dataDir = await mkdtemp(join(inject('scratch'), 'cluster-'));
  const { release } = await ensurePostgres({ dataDir, durable: false });
  await release();
  return dataDir;
}
