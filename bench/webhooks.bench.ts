import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sql from 'sql-template-tag';
import { createTenant } from '../src/tenants/create-tenant.ts';
import { addEndpoint } from '../src/webhooks/endpoints/add-endpoint.ts';
import { recordEvents } from '../src/webhooks/record-events.ts';
import { setWebhook } from '../src/webhooks/set-webhook.ts';
import { openPlace } from './open-place.ts';
import { cpuMs, databaseCpuMs, type Server, startServer } from './processes.ts';

/**
 * Measures how much failing neighbours delay a webhook, and how many deliveries a second are sent. Three
 * processes run next to PostgreSQL: this one records events, the service's workers deliver them, and a
 * receiver records their arrival.
 *
 * Latency is the time from the acknowledged commit to the arrival of the request: 20 tenants with 50 events a
 * second in total, alone and next to two failing neighbours with 20,000 waiting deliveries each, alternately.
 *
 * With `--endpoints`, the neighbours are endpoints of one tenant: two healthy ones, next to a third one that hangs or
 * fails and has as many waiting deliveries.
 *
 *     npm run bench -- webhooks [--endpoints] [seconds of each round] [rounds]
 */
const { values: options, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: { endpoints: { type: 'boolean', default: false } },
});
const seconds = Number(positionals[0] ?? 20);
const rounds = Number(positionals[1] ?? 2);
const healthyTenants = 20;
const eventsPerSecond = 50;
const waitingForSick = 20_000;
const throughputEvents = 30_000;

const { dataDir, environment, services, close } = await openPlace({
  PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
  PARLEY_ROLES: 'workers',
  PARLEY_LOG_LEVEL: 'error',
});
const receiver = await startServer('bench/webhook-receiver.ts', {});
const worker = await startServer('bench/parley.ts', environment);
try {
  if (options.endpoints) await compareEndpoints();
  else await compareTenants();
} finally {
  await worker.stop();
  await receiver.stop();
  await close();
}

/** A tenant that gets events, and the paths of its healthy endpoints. */
type Target = { tenantId: number; paths: string[] };

async function compareTenants(): Promise<void> {
  const healthy = await Promise.all(
    Array.from({ length: healthyTenants }, (_, index) => tenantWithWebhook(`/ok/${index}`)),
  );
  const sick = [await tenantWithWebhook('/hang/1'), await tenantWithWebhook('/fail/1')];
  await compare('two sick tenants', healthy, healthy, async () => {
    for (const { tenantId } of sick) await queueFor(tenantId, waitingForSick);
    return sick;
  });
  for (let round = 0; round < rounds; round++) await throughput(healthy);
}

async function compareEndpoints(): Promise<void> {
  const alone = await tenantWithWebhook('/ok/1', '/ok/2');
  for (const path of ['/hang', '/fail']) {
    const beside = await tenantWithWebhook(`/ok${path}/1`, `/ok${path}/2`);
    const { tenantId } = beside;
    // Only the sick endpoint gets the events that wait.
    const events = ['contact.created', 'contact.deleted'];
    const url = `http://127.0.0.1:${receiver.port}${path}`;
    await addEndpoint(services, tenantId, { name: 'sick', url, events });
    await compare(`an endpoint at ${path}`, [alone], [beside], async () => {
      await queueFor(tenantId, waitingForSick, 'contact.deleted');
      return [beside];
    });
  }
}

/** Compares the latency of targets alone with that of targets next to sick ones, which have waiting deliveries. */
async function compare(
  what: string,
  targetsAlone: Target[],
  targetsBeside: Target[],
  makeSick: () => Promise<Target[]>,
): Promise<void> {
  await latency(targetsAlone, 3);
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(...(await latency(targetsAlone, seconds)));
    const sick = await makeSick();
    await pause(500);
    beside.push(...(await latency(targetsBeside, seconds)));
    await emptyQueues(sick);
    await pause(500);
  }
  print('alone', alone);
  print(`beside ${what}`, beside);
  const ratio = percentile(beside, 0.99) / percentile(alone, 0.99);
  console.log(`p99 ratio ${ratio.toFixed(2)} (the goal is at most 1.5, and p99 under 250 ms)`);
}

/** Creates a tenant with a webhook for each path, which get `contact.created`. */
async function tenantWithWebhook(...paths: string[]): Promise<Target> {
  const slug = `bench${paths[0]!.replaceAll('/', '-')}`;
  const { id: tenantId } = await createTenant(services.db, { slug, plan: 'enterprise' });
  for (const [index, path] of paths.entries()) {
    const url = `http://127.0.0.1:${receiver.port}${path}`;
    const events = ['contact.created'];
    if (index === 0) await setWebhook(services, tenantId, { url, events });
    else await addEndpoint(services, tenantId, { name: `endpoint-${index}`, url, events });
  }
  return { tenantId, paths };
}

/** Records events evenly for `forSeconds`. @returns the milliseconds from commit to each receipt */
async function latency(targets: Target[], forSeconds: number): Promise<number[]> {
  const committed = new Map<string, number>();
  const startedAt = performance.now();
  const recordings: Promise<void>[] = [];
  for (let index = 0; index < forSeconds * eventsPerSecond; index++) {
    const due = startedAt + (index * 1000) / eventsPerSecond;
    await pause(Math.max(0, due - performance.now()));
    const id = crypto.randomUUID();
    const { tenantId, paths } = targets[index % targets.length]!;
    recordings.push(
      recordEvents(services.db, tenantId, [{ type: 'contact.created', data: contact(id) }]).then(
        () => {
          const at = Number(process.hrtime.bigint()) / 1e6;
          for (const path of paths) committed.set(`${path} ${id}`, at);
        },
      ),
    );
  }
  await Promise.all(recordings);
  await arrived(committed.size);
  const { received, others } = await ask<{ received: Record<string, number>; others: number }>(
    receiver,
    'take',
  );
  if (others > 0) console.log(`  (the sick endpoints got ${others} attempts meanwhile)`);
  return [...committed].map(([id, at]) => Math.max(0, received[id]! - at));
}

/** Queues events for all tenants and waits until the last one has arrived. */
async function throughput(tenants: Target[]): Promise<void> {
  const each = throughputEvents / tenants.length;
  const cpuBefore = await cpuOfAll();
  const startedAt = performance.now();
  for (const { tenantId } of tenants) await queueFor(tenantId, each);
  const queued = performance.now();
  await arrived(throughputEvents);
  const { received } = await ask<{ received: Record<string, number> }>(receiver, 'take');
  const ms = performance.now() - startedAt;
  const cpu = (await cpuOfAll()).map(
    (after, index) => (after - cpuBefore[index]!) / throughputEvents,
  );
  const [workerCpu, receiverCpu, postgresCpu] = cpu.map((each) => each.toFixed(2));
  const times = Object.values(received).sort((a, b) => a - b);
  const span = times.at(-1)! - times[0]!;
  console.log(
    `${throughputEvents} deliveries: ${Math.round((throughputEvents * 1000) / ms)} a second with their recording (${Math.round(queued - startedAt)} ms), ` +
      `${Math.round((throughputEvents * 1000) / span)} from first to last receipt; CPU of each: ` +
      `worker ${workerCpu} ms, receiver ${receiverCpu} ms, PostgreSQL ${postgresCpu} ms`,
  );
  await emptyQueues([]);
}

/** Reads the CPU time so far of the worker, the receiver, and PostgreSQL. */
async function cpuOfAll(): Promise<number[]> {
  return [
    await cpuMs(worker.child.pid!),
    await cpuMs(receiver.child.pid!),
    await databaseCpuMs(dataDir),
  ];
}

async function queueFor(
  tenantId: number,
  count: number,
  type: 'contact.created' | 'contact.deleted' = 'contact.created',
): Promise<void> {
  const events = Array.from({ length: count }, () => ({
    type,
    data: contact(crypto.randomUUID()),
  }));
  for (let from = 0; from < count; from += 500) {
    await recordEvents(services.db, tenantId, events.slice(from, from + 500));
  }
}

/** Fails the waiting deliveries of these tenants, and waits for results that are still being stored. */
async function emptyQueues(targets: Target[]): Promise<void> {
  await services.db.query(sql`
    update deliveries set state = 'failed'
    where tenant_id = any(${targets.map(({ tenantId }) => tenantId)}) and state = 'waiting'`);
  for (;;) {
    const { rows } = await services.db.query<{ count: number }>(sql`
      select count(*) from deliveries where state = 'waiting'`);
    if (rows[0]!.count === 0) return;
    await pause(50);
  }
}

/** Waits until `count` have arrived, or nothing arrived for 30 seconds. */
async function arrived(count: number): Promise<void> {
  let last = 0;
  let changed = performance.now();
  while (last < count) {
    const now = (await ask<{ count: number }>(receiver, 'count')).count;
    if (now > last) changed = performance.now();
    last = now;
    if (performance.now() - changed > 30_000) throw new Error(`only ${last} of ${count} arrived`);
    await pause(20);
  }
}

async function ask<Reply>(server: Server, question: string): Promise<Reply> {
  server.child.send(question);
  const [reply] = await once(server.child, 'message');
  return reply as Reply;
}

/** A record of the size of a contact. */
function contact(id: string) {
  return {
    id,
    firstname: 'Aisha',
    lastname: 'Karim',
    phone: '+923001234567',
    email: 'aisha@example.com',
    company: null,
    city: 'Lahore',
    status_id: 1,
    source_id: 2,
    group_ids: [1, 2],
    created_at: '2026-11-21T10:00:00.000Z',
    updated_at: '2026-11-21T10:00:00.000Z',
  };
}

function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function print(name: string, values: number[]): void {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(values, share).toFixed(1));
  console.log(`${name}: ${values.length} events, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms`);
}
