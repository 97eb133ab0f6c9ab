import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../src/config.ts';
import { openServices } from '../src/open-services.ts';

/**
 * A data folder of a benchmark's own with a running PostgreSQL, and the services to fill it with.
 *
 * @param settings environment variables; `environment` has them too, for processes on the same folder
 * @returns `close` ends it and removes the folder
 */
export async function openPlace(settings: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const environment = { PARLEY_LOG_LEVEL: 'warn', ...settings, PARLEY_DATA_DIR: dataDir };
  const { services, close } = await openServices(readConfig(environment));
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
