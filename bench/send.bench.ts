import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Load } from './load.ts';
import { openPlace } from './open-place.ts';
import { cpuMs, databaseCpuMs, median, putLoad, type Server, startServer } from './processes.ts';
import { type SeededTenant, seedSender } from './seed-tenant.ts';

/**
 * Compares sends of a text, with everything on, with the bare baseline: requests a second, latency, and CPU
 * of the server for each request. They alternate in one run, so that changes in the speed of the machine
 * affect both. With `--events`, sends whose events are recorded and published take turns with them.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '1,10,50' },
    events: { type: 'boolean', default: false },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const levels = values.connections.split(',').map(Number);
/**
 * A token may make 600 requests a minute. Each is used for a stretch, as a shop would, and there are enough
 * that none is reused within a minute.
 */
const tokenCount = 1_600;
const stretch = 500;
let nextToken = 0;

type Run = {
  perSecond: number;
  p50: number;
  p99: number;
  /** Milliseconds of CPU of the server's process and of PostgreSQL for each request. */
  cpuMs: number;
  databaseCpuMs: number;
};

const { dataDir, environment, services, close } = await openPlace();
const plain = await seedSender(services, 'bench', tokenCount);
const withEvents = values.events
  ? await seedSender(services, 'events', tokenCount, { events: true })
  : undefined;
const stub = await startServer('bench/network-stub.ts', {});
const networkUrl = `http://127.0.0.1:${stub.port}`;
const baseline = await startServer('bench/baseline.ts', {
  BENCH_DATA_DIR: dataDir,
  BENCH_NETWORK_URL: networkUrl,
});
const parley = await startServer('bench/parley.ts', {
  ...environment,
  PARLEY_NETWORK_URL: networkUrl,
  PARLEY_MESSAGES_PER_SECOND: '0',
  PARLEY_PORT: '0',
});
try {
  await compare();
} finally {
  for (const server of [parley, baseline, stub]) await server.stop();
  await close();
}

async function compare(): Promise<void> {
  await run(baseline, 'http', 10, 2);
  for (const tenant of [plain, withEvents]) if (tenant) await run(parley, 'https', 10, 2, tenant);
  process.stdout.write(
    '\nconnections   what        req/s    p50 ms   p99 ms   CPU ms/req   of PostgreSQL\n',
  );
  for (const connections of levels) {
    const results: Record<'baseline' | 'parley' | 'events', Run[]> = {
      baseline: [],
      parley: [],
      events: [],
    };
    for (let round = 0; round < rounds; round++) {
      results.baseline.push(await run(baseline, 'http', connections, seconds));
      results.parley.push(await run(parley, 'https', connections, seconds));
      if (withEvents) {
        results.events.push(await run(parley, 'https', connections, seconds, withEvents));
        await published(withEvents.id);
      }
    }
    const bare = middle(results.baseline);
    const ours = middle(results.parley);
    const ratios = results.parley.map(
      (each, index) => each.perSecond / results.baseline[index]!.perSecond,
    );
    line(connections, 'baseline', bare);
    line(connections, 'parley', ours);
    process.stdout.write(
      `${String(connections).padStart(11)}   ratio    ${median(ratios).toFixed(2).padStart(8)}` +
        `   (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})   p99 ${(ours.p99 / bare.p99).toFixed(2)}\n`,
    );
    if (!withEvents) continue;
    line(connections, 'events', middle(results.events));
    const ofWithout = results.events.map(
      (each, index) => each.perSecond / results.parley[index]!.perSecond,
    );
    process.stdout.write(
      `${String(connections).padStart(11)}   with/without ${median(ofWithout).toFixed(2)}` +
        `   (${ofWithout.map((ratio) => ratio.toFixed(2)).join(', ')}; the goal is at least 0.85)\n`,
    );
  }
}

/** Waits until the events of a run are in the log, so that the next run does not pay for them. */
async function published(tenantId: number): Promise<void> {
  const isLeft = async () => {
    const { rows } = await services.db.pool.query(
      'select from event_outbox where tenant_id = $1 limit 1',
      [tenantId],
    );
    return rows.length > 0;
  };
  while (await isLeft()) await pause(20);
}

function middle(runs: Run[]): Run {
  const of = (key: keyof Run) => median(runs.map((each) => each[key]));
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    cpuMs: of('cpuMs'),
    databaseCpuMs: of('databaseCpuMs'),
  };
}

function line(connections: number, what: string, run: Run): void {
  process.stdout.write(
    `${String(connections).padStart(11)}   ${what.padEnd(9)}${run.perSecond.toFixed(0).padStart(8)}` +
      `${run.p50.toFixed(2).padStart(10)}${run.p99.toFixed(2).padStart(9)}${run.cpuMs.toFixed(3).padStart(13)}${run.databaseCpuMs.toFixed(3).padStart(15)}\n`,
  );
}

async function run(
  server: Server,
  scheme: 'http' | 'https',
  connections: number,
  forSeconds: number,
  { slug, tokens }: SeededTenant = plain,
): Promise<Run> {
  const body = JSON.stringify({
    phone_number: '+447{serial}',
    type: 'text',
    message: 'Your order is on its way.',
  });
  const load: Load = {
    url: `${scheme}://127.0.0.1:${server.port}`,
    connections,
    seconds: forSeconds,
    stretch,
    first: nextToken,
    requests: tokens.map((token) => ({
      method: 'POST' as const,
      path: `/api/${slug}/messages/send`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    })),
  };
  const before = await cpuMs(server.child.pid!);
  const databaseBefore = await databaseCpuMs(dataDir);
  const result = await putLoad(load);
  nextToken = result.next;
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  const spent = (await cpuMs(server.child.pid!)) - before;
  const databaseSpent = (await databaseCpuMs(dataDir)) - databaseBefore;
  return {
    perSecond: result.requests / result.seconds,
    p50: result.p50,
    p99: result.p99,
    cpuMs: spent / result.requests,
    databaseCpuMs: databaseSpent / result.requests,
  };
}
