import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { beforeAll, onTestFinished } from 'vitest';
import { databaseSettings, type TestApp } from './app.ts';
import { forkService } from './fork-service.ts';

export type ApiProcess = {
  /** The address of a real listener with TLS. `dispatcher` trusts its certificate. */
  url: string;
  dispatcher: Agent;
  /** Kills the process as a power cut would: nothing is finished or logged. */
  kill(): Promise<void>;
};

/**
 * Starts the service as real processes that use the database and the simulator of a test's app.
 *
 * @param atEnd registers what stops them, the last one first. By default they stop with the test
 * @param settings environment variables in addition to the tests' own
 */
export async function startApiProcesses(
  app: TestApp,
  count: number,
  atEnd: (end: () => Promise<void>) => void = onTestFinished,
  settings: Record<string, string> = {},
): Promise<ApiProcess[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-processes-'));
  atEnd(() => rm(dataDir, { recursive: true, force: true }));
  const environment = {
    PARLEY_DATA_DIR: dataDir,
    PARLEY_LOG_LEVEL: 'silent',
    // The simulator responds late if a test floods it from the same process.
    PARLEY_NETWORK_TIMEOUT_MS: '120000',
    PARLEY_NETWORK_URL: app.simulator.url,
    PARLEY_MESSAGES_PER_SECOND: '0',
    // Each takes 50 ms of CPU time to open.
    PARLEY_DATABASE_CONNECTIONS: '5',
    ...databaseSettings(app),
    ...settings,
  };
  // The first process creates the certificate that the others use.
  const first = await startProcess(environment, atEnd);
  const others = Array.from({ length: count - 1 }, () => startProcess(environment, atEnd));
  return [first, ...(await Promise.all(others))];
}

/** Starts such processes for all tests of a file or of a `describe`. The list is filled before the first test. */
export function sharedApiProcesses(app: TestApp, count: number): ApiProcess[] {
  const processes: ApiProcess[] = [];
  beforeAll(async () => {
    const ends: (() => Promise<void>)[] = [];
    processes.push(...(await startApiProcesses(app, count, (end) => ends.unshift(end))));
    return async () => {
      for (const end of ends) await end();
    };
  });
  return processes;
}

async function startProcess(
  environment: Record<string, string>,
  atEnd: (end: () => Promise<void>) => void,
): Promise<ApiProcess> {
  const service = forkService(environment);
  const dispatcher = new Agent({ connections: 64, connect: { rejectUnauthorized: false } });
  atEnd(async () => {
    await dispatcher.destroy();
    await service.end();
  });
  return {
    url: (await service.first).url,
    dispatcher,
    kill: () => service.end('SIGKILL'),
  };
}
