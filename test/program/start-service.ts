import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { makeScratchFolder } from '../database/scratch.ts';
import { spawnParley } from './bin-parley.ts';
import { runCommand } from './run-command.ts';

/** A data folder and ports for services that a test starts as real processes. */
export type Place = {
  dataDir: string;
  environment: Record<string, string>;
  port: number;
  simulatorPort: number;
  /**
   * Runs a command in this process and returns its output. If it fails, throws an error with `stdout`,
   * `stderr` and `code`. `runParley` and `spawnParley` start a process.
   */
  parley(...args: string[]): Promise<string>;
  /** Stops processes that still run, as after a failed test, and removes the folder. */
  remove(): Promise<void>;
};

export async function createPlace(settings: Record<string, string> = {}): Promise<Place> {
  const dataDir = await makeScratchFolder('parley-service-');
  const [port, simulatorPort] = [await freePort(), await freePort()];
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PARLEY_'));
  const environment = {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PORT: String(port),
    PARLEY_SIMULATOR_PORT: String(simulatorPort),
    // There is no load balancer.
    PARLEY_DRAIN_MS: '0',
    ...settings,
  };
  return {
    dataDir,
    environment,
    port,
    simulatorPort,
    async parley(...args) {
      const ran = await runCommand(args, environment);
      if (ran.code !== 0) throw Object.assign(new Error(ran.stderr), ran);
      return ran.stdout;
    },
    async remove() {
      await endProcessesOf({ dataDir });
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

async function endProcessesOf(place: Pick<Place, 'dataDir'>): Promise<void> {
  const left = await processesOf(place);
  if (left.length === 0) return;
  for (const line of left) {
    try {
      process.kill(Number.parseInt(line, 10), 'SIGKILL');
    } catch {
      // It has just exited.
    }
  }
  await pause(10);
  await endProcessesOf(place);
}

/** Finds the processes whose command line or environment names the data folder. */
export async function processesOf(place: Pick<Place, 'dataDir'>): Promise<string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    const isOurs =
      line.includes(place.dataDir) || environment.includes(`PARLEY_DATA_DIR=${place.dataDir}`);
    if (isOurs) found.push(`${pid} ${line.replaceAll('\0', ' ')}`);
  }
  return found;
}

export type StartedService = {
  process: ChildProcess;
  printed: Record<string, string>;
  exited: Promise<number | null>;
  /** Stops it, and waits for its end. */
  stop(): Promise<void>;
};

/** Starts `parley demo` or `parley serve`, and returns it with the output that it printed when ready. */
export async function startService(place: Place, what: 'demo' | 'serve'): Promise<StartedService> {
  const child = spawnParley([what, '--json'], place.environment);
  child.stdin.end();
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const line = await Promise.race([
    firstLine(child.stdout),
    exited.then((code) => {
      throw new Error(`parley ${what} ended with ${code}: ${complaint}`);
    }),
  ]);
  return {
    process: child,
    printed: JSON.parse(line),
    exited,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function firstLine(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk;
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'));
  }
  return text;
}

/** Sends an HTTPS request that trusts only the place's own authority. */
export async function callHttps(
  place: Place,
  method: string,
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
): Promise<{ status: number; body: any }> {
  const ca = await readFile(join(place.dataDir, 'tls', 'authority.pem'));
  const request = httpsRequest({
    host: 'localhost',
    port: place.port,
    path,
    method,
    ca,
    agent: false,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await once(request, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, body: JSON.parse(text) };
}

/** The number of ports of a test worker. The first port is random, because files run in parallel. */
const portsOfWorker = 3_000;
let nextPort = Math.floor(Math.random() * portsOfWorker);

/**
 * Returns a port that nobody listens on. It is below the range from which the system assigns ports, because
 * another test could get such a port before it is used. No port is returned twice, here or in another worker.
 */
export async function freePort(): Promise<number> {
  const worker = Number(process.env.VITEST_POOL_ID ?? 1) - 1;
  for (;;) {
    const port = 20_000 + (worker % 4) * portsOfWorker + (nextPort++ % portsOfWorker);
    if (await isFree(port)) return port;
  }
}

/** Whether nobody listens on a port. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  if (!(await once(server, 'listening').catch(() => false))) return false;
  server.close();
  await once(server, 'close');
  return true;
}
