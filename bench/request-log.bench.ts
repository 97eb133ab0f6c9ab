import { parseArgs } from 'node:util';
import { openPlace } from './open-place.ts';
import { cpuMs, databaseCpuMs, median, putLoad, type Server, startServer } from './processes.ts';
import { type SeededTenant, seedSender } from './seed-tenant.ts';

/**
 * Compares the CPU of a send with that of the same service without `X-Request-Id` and without the log of requests. Both
 * are under load at the same time, each with a database of its own, so that what else the machine does affects both.
 * The aim is at most 1.03 times. (Codes of errors cost a send nothing.)
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '20' },
    connections: { type: 'string', default: '1,10,50' },
  },
});
/** A token may make 600 requests a minute. Each is used for a stretch, and none is reused within a minute. */
const tokenCount = 1_600;
const stretch = 500;

type Side = {
  server: Server;
  dataDir: string;
  tenant: SeededTenant;
  nextToken: number;
  close(): Promise<void>;
};

const stub = await startServer('bench/network-stub.ts', {});
const sides = [await open('bench/parley.ts'), await open('bench/parley-without-log.ts')];
try {
  await costs(10, 2);
  for (const connections of values.connections.split(',').map(Number)) {
    const ratios: number[] = [];
    const own: number[] = [];
    for (let round = 0; round < Number(values.rounds); round++) {
      const [usual, without] = await costs(connections, Number(values.seconds));
      ratios.push(usual! / without!);
      own.push(usual!);
    }
    console.log(
      `${connections} connections: ${mean(own).toFixed(3)} ms of CPU for a send, ` +
        `${mean(ratios).toFixed(3)} times as much as without, ± ${standardError(ratios).toFixed(3)}; ` +
        `the median is ${median(ratios).toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
    );
  }
} finally {
  for (const { close } of sides) await close();
  await stub.stop();
}

async function open(program: string): Promise<Side> {
  const place = await openPlace();
  const tenant = await seedSender(place.services, 'bench', tokenCount);
  const server = await startServer(program, {
    ...place.environment,
    PARLEY_NETWORK_URL: `http://127.0.0.1:${stub.port}`,
    PARLEY_MESSAGES_PER_SECOND: '0',
    PARLEY_PORT: '0',
    PARLEY_ROLES: 'api',
  });
  return {
    server,
    dataDir: place.dataDir,
    tenant,
    nextToken: 0,
    async close() {
      await server.stop();
      await place.close();
    },
  };
}

/** Measures the milliseconds of CPU of each server and its PostgreSQL for a send. */
function costs(connections: number, seconds: number): Promise<number[]> {
  return Promise.all(sides.map((side) => costOf(side, connections, seconds)));
}

async function costOf(side: Side, connections: number, seconds: number): Promise<number> {
  const { server, dataDir, tenant } = side;
  const spent = async () => (await cpuMs(server.child.pid!)) + (await databaseCpuMs(dataDir));
  const before = await spent();
  const result = await putLoad({
    url: `https://127.0.0.1:${server.port}`,
    connections,
    seconds,
    stretch,
    first: side.nextToken,
    requests: tenant.tokens.map((token) => ({
      method: 'POST' as const,
      path: `/api/${tenant.slug}/messages/send`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ phone_number: '+447{serial}', type: 'text', message: 'Hello.' }),
    })),
  });
  side.nextToken = result.next;
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  return ((await spent()) - before) / result.requests;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function standardError(values: number[]): number {
  const middle = mean(values);
  const squares = values.map((value) => (value - middle) ** 2);
  return Math.sqrt(mean(squares) / (values.length - 1));
}
