import { parseArgs } from 'node:util';
import { openPlace } from './open-place.ts';
import { cpuMs, databaseCpuMs, median, putLoad, type Server, startServer } from './processes.ts';
import { seedSender } from './seed-tenant.ts';

/**
 * Compares the CPU of a send with that of the same service without `X-Request-Id` and without the log of requests, on
 * the same database, in turns. The aim is at most 1.03 times. (Codes of errors cost a send nothing.)
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '9' },
    connections: { type: 'string', default: '1,10,50' },
  },
});
/** A token may make 600 requests a minute. Each is used for a stretch, and none is reused within a minute. */
const tokenCount = 1_600;
const stretch = 500;
let nextToken = 0;

const { dataDir, environment, services, close } = await openPlace();
const { tokens } = await seedSender(services, 'bench', tokenCount);
const stub = await startServer('bench/network-stub.ts', {});
const settings = {
  ...environment,
  PARLEY_NETWORK_URL: `http://127.0.0.1:${stub.port}`,
  PARLEY_MESSAGES_PER_SECOND: '0',
  PARLEY_PORT: '0',
  PARLEY_ROLES: 'api',
};
const usual = await startServer('bench/parley.ts', settings);
const without = await startServer('bench/parley-without-log.ts', settings);
try {
  for (const server of [usual, without]) await costOf(server, 10, 2);
  for (const connections of values.connections.split(',').map(Number)) {
    const pairs: [number, number][] = [];
    for (let round = 0; round < Number(values.rounds); round++) {
      const order = round % 2 === 0 ? [usual, without] : [without, usual];
      const costs = new Map<Server, number>();
      for (const server of order) {
        costs.set(server, await costOf(server, connections, Number(values.seconds)));
      }
      pairs.push([costs.get(usual)!, costs.get(without)!]);
    }
    const ratios = pairs.map(([ours, bare]) => ours / bare);
    console.log(
      `${connections} connections: ${median(pairs.map(([ours]) => ours)).toFixed(3)} ms of CPU for a send, ` +
        `${median(pairs.map(([, bare]) => bare)).toFixed(3)} without, ${median(ratios).toFixed(3)} times ` +
        `(${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`,
    );
  }
} finally {
  for (const server of [usual, without, stub]) await server.stop();
  await close();
}

/** Measures the milliseconds of CPU of the server and PostgreSQL for a send. */
async function costOf(server: Server, connections: number, seconds: number): Promise<number> {
  const spent = async () => (await cpuMs(server.child.pid!)) + (await databaseCpuMs(dataDir));
  const before = await spent();
  const result = await putLoad({
    url: `https://127.0.0.1:${server.port}`,
    connections,
    seconds,
    stretch,
    first: nextToken,
    requests: tokens.map((token) => ({
      method: 'POST' as const,
      path: '/api/bench/messages/send',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ phone_number: '+447{serial}', type: 'text', message: 'Hello.' }),
    })),
  });
  nextToken = result.next;
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  return ((await spent()) - before) / result.requests;
}
