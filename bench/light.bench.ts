import { readFile } from 'node:fs/promises';
import http from 'node:http';
import http2, { type ClientHttp2Session } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startServe } from '../chaos/service-process.ts';
import { insertMember, insertSession } from '../test/features/insert-member.ts';
import { connectLean, requestBytes } from './lean-client.ts';
import { openPlace } from './open-place.ts';
import { cpuMs, databaseCpuMs, databasePids } from './processes.ts';
import { type SeededTenant, seedTenant } from './seed-tenant.ts';

/**
 * Measures the memory of an idle service, and what idle connections and open dashboards add; and the CPU of open
 * dashboards. Memory of the program is its RSS, because its pages are its own: shared ones are those of Node's file.
 * Memory of PostgreSQL is the PSS of all its processes, which counts what they share once.
 *
 * A process gives memory back a minute after it became idle, so each figure waits for that. Node.js needs some 50 kB
 * for a connection of TLS, which no setting lowers. `--behind-proxy` measures plain HTTP, as behind a proxy that
 * ends TLS.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    connections: { type: 'string', default: '5000' },
    dashboards: { type: 'string', default: '1000' },
    /** After the start, and after clients have connected. */
    settle: { type: 'string', default: '75' },
    seconds: { type: 'string', default: '60' },
    'behind-proxy': { type: 'boolean', default: false },
    'measured-dashboards': { type: 'string', default: '50' },
  },
});
const [connections, dashboards, settle, seconds, few] = [
  values.connections,
  values.dashboards,
  values.settle,
  values.seconds,
  values['measured-dashboards'],
].map(Number) as [number, number, number, number, number];
/** A person has at most 20 streams. */
const streamsPerPerson = 10;

const { dataDir, environment, services, close } = await openPlace({
  PARLEY_MAX_CONNECTIONS: '20000',
  PARLEY_MAX_CONNECTIONS_PER_ADDRESS: '20000',
  ...(values['behind-proxy'] && { PARLEY_TRUSTED_PROXIES: '127.0.0.1/32' }),
});
const shop = await seedTenant(services, 'shop', 1);
const cookies = await seedPeople(shop, Math.ceil(Math.max(dashboards, few) / streamsPerPerson));
const start = () => startServe({ ...environment, PARLEY_PORT: '0' });
// The first start fills the compile cache, and has loaded the compiler.
await (await start()).stop();
const parley = await start();
const url = new URL(parley.url);
if (values['behind-proxy']) url.protocol = 'http:';
/** What a proxy adds. */
const forwarded: Record<string, string> = values['behind-proxy']
  ? { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' }
  : {};
const pid = parley.child.pid!;
const open: (() => void)[] = [];
try {
  await sleep(settle * 1_000);
  const idle = await memory();
  console.log(
    `idle: program ${shown(idle.program)} (aim 140), PostgreSQL ${shown(idle.database)} (aim 90)`,
  );
  await showCpu('no dashboard');
  // The first one loads the sign-in.
  await openDashboards(1);
  await openDashboards(few - 1);
  await showCpu(`${few} dashboards`);
  await openConnections(connections);
  await sleep(settle * 1_000);
  const connected = await memory();
  console.log(`${connections} idle connections: ${grown(idle, connected)}`);
  await openDashboards(dashboards - few);
  await sleep(settle * 1_000);
  const full = await memory();
  console.log(`and ${dashboards} dashboards: ${grown(idle, full)} (aim 150)`);
} finally {
  for (const end of open) end();
  await parley.stop();
  await close();
}

async function seedPeople({ id }: SeededTenant, count: number): Promise<string[]> {
  const sessions: string[] = [];
  for (let each = 0; each < count; each++) {
    const person = { email: `person-${each}@example.com`, name: 'Ada', password: 'correct horse' };
    sessions.push(
      await insertSession(services, await insertMember(services.db, id, 'staff', person)),
    );
  }
  return sessions;
}

/** In MB. */
type Memory = { program: number; database: number };

async function memory(): Promise<Memory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const program = Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
  let database = 0;
  for (const each of await databasePids(dataDir)) {
    const sum = await readFile(`/proc/${each}/smaps_rollup`, 'utf8').catch(() => '');
    database += Number(/^Pss:\s+(\d+)/m.exec(sum)?.[1] ?? 0) / 1024;
  }
  return { program, database };
}

async function showCpu(what: string): Promise<void> {
  const before = [await cpuMs(pid), await databaseCpuMs(dataDir)] as const;
  await sleep(seconds * 1_000);
  const used = [
    (await cpuMs(pid)) - before[0],
    (await databaseCpuMs(dataDir)) - before[1],
  ] as const;
  const [program, database] = used.map((ms) => `${(ms / seconds / 10).toFixed(2)} %`);
  console.log(`${what}: program ${program} of a core, PostgreSQL ${database}`);
}

/** Opens connections of HTTP/1.1 over TLS that have made one request. */
async function openConnections(count: number): Promise<void> {
  const request = requestBytes(url, { method: 'GET', path: '/healthz', headers: forwarded });
  await inParts(count, async () => {
    const client = await connectLean(url);
    open.push(client.close);
    if ((await client.send(request)) !== 200) throw new Error('not healthy');
  });
}

/** Opens what an open page of the dashboard keeps open: its stream of events, over HTTP/2 or from a proxy. */
async function openDashboards(count: number): Promise<void> {
  await inParts(count, async (each) => {
    const cookie = cookies[each % cookies.length]!;
    if (values['behind-proxy']) return openPlainStream(cookie);
    const session = http2.connect(url, { rejectUnauthorized: false });
    open.push(() => session.destroy());
    session.on('error', () => {});
    await stream(session, cookie, '');
  });
}

/** Opens a stream over HTTP/1.1, and again whenever it ends. Resolves at its first event. */
function openPlainStream(cookie: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { ...forwarded, accept: 'text/event-stream', cookie };
    const request = http.get(new URL('/dashboard-api/shop/live', url), { agent: false, headers });
    open.push(() => request.destroy());
    request.on('error', reject);
    request.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`the stream is ${response.statusCode}`));
      response.once('data', () => resolve());
      response.resume();
      response.once('end', () => openPlainStream(cookie).catch(() => {}));
    });
  });
}

/** Opens a stream, and again whenever it ends, as browsers do. Resolves at its first event. */
function stream(session: ClientHttp2Session, cookie: string, after: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = session.request({
      ':path': '/dashboard-api/shop/live',
      accept: 'text/event-stream',
      cookie,
      ...(after && { 'last-event-id': after }),
    });
    let last = after;
    request.setEncoding('utf8');
    request.on('response', ({ ':status': status }) => {
      if (status !== 200) reject(new Error(`the stream is ${status}`));
    });
    request.on('data', (text: string) => {
      last = /^id: (.*)$/m.exec(text)?.[1] ?? last;
      if (text.includes('data:')) resolve();
    });
    request.on('error', reject);
    request.on('close', async () => {
      await sleep(1_000);
      if (!session.destroyed) await stream(session, cookie, last).catch(() => {});
    });
  });
}

async function inParts(count: number, work: (each: number) => Promise<void>): Promise<void> {
  const size = 10;
  for (let from = 0; from < count; from += size) {
    const part = Array.from({ length: Math.min(size, count - from) }, (_, each) => from + each);
    await Promise.all(part.map(work));
  }
}

function shown(megabytes: number): string {
  return `${megabytes.toFixed(0)} MB`;
}

function grown(from: Memory, to: Memory): string {
  const [program, database] = [to.program - from.program, to.database - from.database];
  return `program +${shown(program)}, PostgreSQL +${shown(database)}`;
}
