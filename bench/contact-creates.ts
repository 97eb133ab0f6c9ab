import type { Services } from '../src/services.ts';
import { createTenant } from '../src/tenants/create-tenant.ts';
import { createToken } from '../src/tenants/create-token.ts';
import type { LoadResult } from './load.ts';
import { median, putLoad, type Server, startServer } from './processes.ts';

/** A token makes at most 600 requests a minute: each is used for a stretch. */
const tokenCount = 800;
const stretch = 500;
let nextToken = 0;
let nextSerial = 0;

/**
 * Contacts created a second, with everything a create does (TLS, token, exact minute, search,
 * event), against the bare baseline, in turns.
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
    PARLEY_LOG_LEVEL: 'warn',
  });
  const run = (server: Server, scheme: string, connections: number, forSeconds = seconds) =>
    create(`${scheme}://127.0.0.1:${server.port}`, tokens, connections, forSeconds);
  try {
    await run(baseline, 'http', 10, 2);
    await run(parley, 'https', 10, 2);
    process.stdout.write('\nCreates a second     baseline    parley   ratio   (p99 ms)\n');
    for (const connections of [1, 10, 50]) {
      const bare: LoadResult[] = [];
      const ours: LoadResult[] = [];
      for (let round = 0; round < rounds; round++) {
        bare.push(await run(baseline, 'http', connections));
        ours.push(await run(parley, 'https', connections));
      }
      const ratio = median(ours.map((each, index) => perSecond(each) / perSecond(bare[index]!)));
      process.stdout.write(
        `${String(connections).padStart(3)} connections ${median(bare.map(perSecond)).toFixed(0).padStart(13)}` +
          `${median(ours.map(perSecond)).toFixed(0).padStart(10)}${ratio.toFixed(2).padStart(8)}` +
          `   (${median(bare.map((each) => each.p99)).toFixed(1)}, ${median(ours.map((each) => each.p99)).toFixed(1)})\n`,
      );
    }
  } finally {
    await parley.stop();
    await baseline.stop();
  }
}

async function seedTokens({ db }: Services): Promise<string[]> {
  const tenant = await createTenant(db, { slug: 'bench', plan: 'enterprise' });
  await db.query({
    text: `insert into webhooks (tenant_id, url, events, secret)
           values ($1, 'https://127.0.0.1:9/', '{contact.created}', '\\x00')`,
    values: [tenant.id],
    name: 'bench-webhook',
  });
  const made: string[] = [];
  for (let each = 0; each < tokenCount; each++) {
    const token = { name: 'bench', abilities: ['all'], active: true };
    made.push((await createToken(db, tenant.id, token)).value);
  }
  return made;
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

function perSecond(result: LoadResult): number {
  return result.requests / result.seconds;
}
