import { parseArgs } from 'node:util';
import { openPlace } from './open-place.ts';
import { cpuMs, databaseCpuMs, median, putLoad, startServer } from './processes.ts';
import { seedSender } from './seed-tenant.ts';

/**
 * Measures the cost of token, limits, idempotency and usage of a send: the same server with and without them,
 * alternately. CPU is shown for the server's process and for PostgreSQL.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '50' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const tokenCount = 1_600;
const stretch = 500;
let nextToken = 0;

type Run = {
  perSecond: number;
  serverMs: number;
  postgresMs: number;
  /** The database's statements and transactions for each send. */
  trips: number;
};

const { dataDir, environment, services, close } = await openPlace();
const { id: tenantId, tokens, tokenIds } = await seedSender(services, 'bench', tokenCount);
const stub = await startServer('bench/network-stub.ts', {});
const server = await startServer('bench/limits-server.ts', {
  ...environment,
  PARLEY_NETWORK_URL: `http://127.0.0.1:${stub.port}`,
  PARLEY_MESSAGES_PER_SECOND: '0',
  BENCH_TENANT: String(tenantId),
  BENCH_TOKEN: String(tokenIds[0]),
});
try {
  await compare();
} finally {
  await server.stop();
  await stub.stop();
  await close();
}

async function compare(): Promise<void> {
  await run('/bench/bench', 2);
  await run('/api/bench', 2);
  const without: Run[] = [];
  const withThem: Run[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    without.push(await run('/bench/bench', seconds));
    withThem.push(await run('/api/bench', seconds));
  }
  process.stdout.write(
    `\n${connections} connections    req/s   server CPU ms   PostgreSQL CPU ms   round trips, for each send\n`,
  );
  line('without', without);
  line('with', withThem);
  const share = (cost: (run: Run) => number) =>
    median(withThem.map((each, index) => 1 - cost(without[index]!) / cost(each)));
  process.stdout.write(
    `\nToken, limits, idempotency and usage take ${percent(share((each) => each.serverMs))} of the server's CPU for a send, ` +
      `${percent(share((each) => each.serverMs + each.postgresMs))} of the server's and PostgreSQL's together.\n`,
  );
}

function line(name: string, runs: Run[]): void {
  const of = (key: keyof Run) => median(runs.map((each) => each[key]));
  process.stdout.write(
    `${name.padEnd(14)}${of('perSecond').toFixed(0).padStart(9)}${of('serverMs').toFixed(3).padStart(16)}` +
      `${of('postgresMs').toFixed(3).padStart(20)}${of('trips').toFixed(3).padStart(14)}\n`,
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

async function run(base: string, forSeconds: number): Promise<Run> {
  const body = JSON.stringify({
    phone_number: '+14155550123',
    type: 'text',
    message: 'Your order is on its way.',
  });
  const before = await spent();
  const result = await putLoad({
    url: `https://127.0.0.1:${server.port}`,
    connections,
    seconds: forSeconds,
    stretch,
    first: nextToken,
    requests: tokens.map((token) => ({
      method: 'POST' as const,
      path: `${base}/messages/send`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    })),
  });
  nextToken = result.next;
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  const after = await spent();
  return {
    perSecond: result.requests / result.seconds,
    serverMs: (after.serverMs - before.serverMs) / result.requests,
    postgresMs: (after.postgresMs - before.postgresMs) / result.requests,
    trips: (after.trips - before.trips) / result.requests,
  };
}

async function spent() {
  // Backends report their statistics a moment later.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const { rows } = await services.db.pool.query<{ trips: number }>(
    `select xact_commit::int as trips from pg_stat_database where datname = current_database()`,
  );
  return {
    trips: rows[0]!.trips,
    postgresMs: await databaseCpuMs(dataDir),
    serverMs: await cpuMs(server.child.pid!),
  };
}
