import type { Services } from '../src/services.ts';
import { cpuMs, databaseCpuMs, median, putLoad, type Server, startServer } from './processes.ts';
import { seedTenant } from './seed-tenant.ts';

/**
 * A token may make 600 requests a minute. Each is used for a stretch, and there are enough that none is
 * reused within a minute.
 */
const tokenCount = 1_600;
const stretch = 500;
let nextToken = 0;
let nextSerial = 0;

/**
 * Measures contacts created a second, with everything that a create does (TLS, token, exact minute, search,
 * event), against the bare baseline, alternately.
 */
export async function measureCreates(
  services: Services,
  dataDir: string,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<void> {
  const tokens = await seedTokens(services);
  const baseline = await startServer('bench/contact-baseline.ts', { BENCH_DATA_DIR: dataDir });
  const parley = await startServer('bench/parley.ts', {
    PARLEY_DATA_DIR: dataDir,
    PARLEY_PORT: '0',
    PARLEY_ROLES: 'api',
    PARLEY_LOG_LEVEL: 'warn',
  });
  const run = async (server: Server, scheme: string, connections: number): Promise<Run> => {
    const url = `${scheme}://127.0.0.1:${server.port}`;
    const [ours, databases] = [await cpuMs(server.child.pid!), await databaseCpuMs(dataDir)];
    const result = await create(url, tokens, connections, seconds);
    return {
      perSecond: result.requests / result.seconds,
      p99: result.p99,
      serverMs: ((await cpuMs(server.child.pid!)) - ours) / result.requests,
      databaseMs: ((await databaseCpuMs(dataDir)) - databases) / result.requests,
    };
  };
  try {
    await run(baseline, 'http', 10);
    await run(parley, 'https', 10);
    process.stdout.write(
      '\ncreates            req/s   ratio    p99 ms   CPU ms/req: server   database\n',
    );
    for (const connections of [1, 10, 50]) {
      const bare: Run[] = [];
      const ours: Run[] = [];
      for (let round = 0; round < rounds; round++) {
        bare.push(await run(baseline, 'http', connections));
        ours.push(await run(parley, 'https', connections));
      }
      const ratios = ours.map((each, index) => each.perSecond / bare[index]!.perSecond);
      line(`${connections} bare`, bare, '');
      line(`${connections} parley`, ours, median(ratios).toFixed(2));
    }
  } finally {
    await parley.stop();
    await baseline.stop();
  }
}

type Run = { perSecond: number; p99: number; serverMs: number; databaseMs: number };

function line(what: string, runs: Run[], ratio: string): void {
  const middle = (key: keyof Run, digits: number, width: number) =>
    median(runs.map((run) => run[key]))
      .toFixed(digits)
      .padStart(width);
  process.stdout.write(
    `${what.padEnd(14)}${middle('perSecond', 0, 10)}${ratio.padStart(8)}${middle('p99', 1, 10)}` +
      `${middle('serverMs', 3, 21)}${middle('databaseMs', 3, 11)}\n`,
  );
}

async function seedTokens(services: Services): Promise<string[]> {
  const { id, tokens } = await seedTenant(services, 'bench', tokenCount);
  await services.db.query({
    text: `insert into webhooks (tenant_id, url, events, secret)
           values ($1, 'https://127.0.0.1:9/', '{contact.created}', '\\x00')`,
    values: [id],
    name: 'bench-webhook',
  });
  return tokens;
}

async function create(url: string, tokens: string[], connections: number, seconds: number) {
  const result = await putLoad({
    url,
    connections,
    seconds,
    stretch,
    first: nextToken,
    firstSerial: nextSerial,
    requests: tokens.map((token) => ({
      method: 'POST' as const,
      path: '/api/bench/contacts',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        firstname: 'Maria',
        lastname: 'Lopez {serial}',
        phone: '+4915{serial}',
        email: 'maria.{serial}@example.com',
      }),
    })),
  });
  if (result.failures > 0) throw new Error(`${result.failures} creates failed`);
  nextToken = result.next;
  nextSerial = result.nextSerial;
  return result;
}
