import { readdir, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { connectNumber } from '../src/numbers/connect-number.ts';
import { createTenant } from '../src/tenants/create-tenant.ts';
import { createToken } from '../src/tenants/create-token.ts';
import { openPlace } from './open-place.ts';
import { cpuMs, median, putLoad, startServer } from './processes.ts';

/**
 * What token, limits, idempotency and usage cost a send: the same server, with them and without,
 * in turns. CPU is that of the server's process, and beside it that of PostgreSQL's.
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
  /** Statements and transactions of the database for each send. */
  trips: number;
};

const { environment, services, close } = await openPlace();
const { tenantId, tokenId, tokens } = await seed();
const stub = await startServer('bench/network-stub.ts', {});
const server = await startServer('bench/limits-server.ts', {
  ...environment,
  PARLEY_NETWORK_URL: `http://127.0.0.1:${stub.port}`,
  PARLEY_MESSAGES_PER_SECOND: '0',
  BENCH_TENANT: String(tenantId),
  BENCH_TOKEN: String(tokenId),
});
try {
  await compare();
} finally {
  await server.stop();
  await stub.stop();
  await close();
}

async function seed() {
  const { db } = services;
  const tenant = await createTenant(db, { slug: 'bench', plan: 'enterprise' });
  await connectNumber(services, tenant.id, {
    phoneNumberId: '1',
    businessAccountId: '1',
    accessToken: 'token',
    appSecret: 'secret',
  });
  const made: Awaited<ReturnType<typeof createToken>>[] = [];
  for (let each = 0; each < tokenCount; each++) {
    made.push(
      await createToken(db, tenant.id, { name: 'bench', abilities: ['all'], active: true }),
    );
  }
  return {
    tenantId: tenant.id,
    tokenId: made[0]!.token.id,
    tokens: made.map(({ value }) => value),
  };
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
  // Backends tell what they did a moment after; their CPU is looked up by their parent's children.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const { rows } = await services.db.pool.query<{ trips: number; pid: number }>(
    `select (select xact_commit::int from pg_stat_database where datname = current_database())
              as trips, pg_backend_pid() as pid`,
  );
  const { trips, pid } = rows[0]!;
  const postmaster = await parentOf(pid);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  let postgresMs = 0;
  for (const each of pids) {
    if ((await parentOf(each)) === postmaster) postgresMs += await cpuMs(each).catch(() => 0);
  }
  return { trips, postgresMs, serverMs: await cpuMs(server.child.pid!) };
}

async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || undefined;
}
