import { parseArgs } from 'node:util';
import { findPerson } from '../src/messages/record/listing/read-filter.ts';
import { connectNumber } from '../src/numbers/connecting/connect-number.ts';
import { createTenant } from '../src/tenants/create-tenant.ts';
import { forkProgram } from '../test/program/fork-program.ts';
import type { CallbackLoad, CallbackResult, Inbound, Shown } from './callback-load.ts';
import { openPlace } from './open-place.ts';
import { cpuMs, databaseCpuMs, median, startServer } from './processes.ts';

/**
 * Measures messages of people whom the network shows by phone, by user id or by both: first the cost of a new person
 * and of a known one, in turns; then a steady mixed load with repeats, and whether each message is stored once.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    seconds: { type: 'string', default: '30' },
    rate: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
  },
});
const rate = Number(values.rate);
const seconds = Number(values.seconds);
const stretch = { perSecond: 300, seconds: 2 };
const found = 600;
const appSecret = 'bench-secret';
const phoneNumberId = '1';

const { dataDir, environment, services, close } = await openPlace({ PARLEY_LOG_LEVEL: 'error' });
const parley = await startServer('bench/parley.ts', {
  ...environment,
  PARLEY_PORT: '0',
  PARLEY_NETWORK_URL: 'http://127.0.0.1:9',
});
try {
  const { id: tenantId } = await createTenant(services.db, { slug: 'bench', plan: 'enterprise' });
  const { callback_id } = await connectNumber(services, tenantId, {
    ...{ phoneNumberId, businessAccountId: '1', accessToken: 'token', appSecret },
  });
  const url = `https://127.0.0.1:${parley.port}/whatsapp/callbacks/${callback_id}`;
  await compareIdentities(tenantId, url);
  await receiveMixed(tenantId, url);
} finally {
  await parley.stop();
  await close();
}

async function compareIdentities(tenantId: number, url: string): Promise<void> {
  const kinds: Shown[] = ['phone', 'user id', 'both'];
  const costs = new Map<Shown, { create: number; know: number; find: number }[]>();
  const people = stretch.perSecond * stretch.seconds;
  let firstPerson = 10_000_000;
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const kind of kinds) {
      const cost = { create: 0, know: 0, find: 0 };
      for (const step of ['create', 'know'] as const) {
        const before = await spent();
        const name = `${kind.replace(' ', '-')}.${step}.${round}`;
        await put(url, { ...stretch, inbound: { name, firstPerson, people, shown: [kind] } });
        cost[step] = ((await spent()) - before) / people;
      }
      cost.find = await findEach(tenantId, kind, firstPerson);
      firstPerson += people;
      // The first round warms up.
      if (round > 0) costs.set(kind, [...(costs.get(kind) ?? []), cost]);
    }
  }
  process.stdout.write('\nshown        ms of CPU: new person   known one   ms to find it\n');
  for (const [kind, all] of costs) {
    const [create, know, find] = (['create', 'know', 'find'] as const).map((step) =>
      median(all.map((cost) => cost[step])).toFixed(2),
    );
    process.stdout.write(
      `${kind.padEnd(20)}${create!.padStart(15)}${know!.padStart(12)}${find!.padStart(16)}\n`,
    );
  }
}

/** Reads the CPU time so far of the service and its database. */
async function spent(): Promise<number> {
  return (await cpuMs(parley.child.pid!)) + (await databaseCpuMs(dataDir));
}

/** Returns the milliseconds to find the conversation of a person by what is shown. */
async function findEach(tenantId: number, kind: Shown, firstPerson: number) {
  const startedAt = performance.now();
  for (let person = firstPerson; person < firstPerson + found; person++) {
    const name =
      kind === 'phone' ? `+${4_915_100_000_000 + person}` : `DE.${7_000_000_000 + person}`;
    await findPerson(services.db, tenantId, name);
  }
  return (performance.now() - startedAt) / found;
}

async function receiveMixed(tenantId: number, url: string): Promise<void> {
  const count = async () => {
    const { rows } = await services.db.pool.query<Record<'messages' | 'contacts', number>>(
      `select (select count(*)::int from message_states where tenant_id = $1) as messages,
              (select count(*)::int from contacts where tenant_id = $1) as contacts`,
      [tenantId],
    );
    return rows[0]!;
  };
  const before = await count();
  // Odd, so that it is not always the same people whose messages repeat others.
  const people = Math.ceil((rate * seconds) / 10) | 1;
  const result = await put(url, {
    perSecond: rate,
    seconds,
    inbound: {
      ...{ name: 'mixed', firstPerson: 0, people },
      shown: ['phone', 'user id', 'both', 'later'],
    },
  });
  const after = await count();
  const total = rate * seconds;
  process.stdout.write(
    [
      '',
      `${total} messages of ${people} people over ${result.seconds.toFixed(1)} s, a tenth of them repeats: p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms, other than 200: ${result.failures}`,
      `stored           ${after.messages - before.messages} of ${total - Math.floor(total / 10)}`,
      `contacts         ${after.contacts - before.contacts} of ${people}`,
      '',
    ].join('\n'),
  );
}

function put(
  url: string,
  given: { perSecond: number; seconds: number; inbound: Inbound },
): Promise<CallbackResult> {
  const load: CallbackLoad = {
    ...{ url, appSecret, phoneNumberId, tenantId: 0, firstMessageId: 0, statusesInPost: 1 },
    ...given,
  };
  return forkProgram<CallbackResult>(new URL('callback-load.ts', import.meta.url), {
    environment: { BENCH_LOAD: JSON.stringify(load) },
    output: 'inherit',
  }).first;
}
