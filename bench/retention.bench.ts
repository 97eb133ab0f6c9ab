import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sql from 'sql-template-tag';
import { pruneMessages } from '../src/messages/conversations/prune-messages.ts';
import { openPlace } from './open-place.ts';
import { cpuMs, databaseCpuMs, preparePaced, startServer } from './processes.ts';
import { seedMessages } from './seed-messages.ts';
import { seedSender } from './seed-tenant.ts';

/**
 * Deletes the oldest messages of a large table while sends go on at a fixed rate: how long sends take before,
 * during and after, how fast rows are deleted, what vacuum costs, and whether new messages reuse the space.
 * The age of the messages is spread over 100 days, so each day is a hundredth of them.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    messages: { type: 'string', default: '50000000' },
    /** Days that expire in all, and in how many rounds. */
    expire: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '20' },
  },
});
const count = Number(values.messages);
const days = 100;
const insertsAtOnce = 50_000;
const perSecond = Number(values.rate);
const tables = ['messages', 'message_states', 'conversations', 'conversation_windows'];

const { dataDir, environment, services, close } = await openPlace();
const stub = await startServer('bench/network-stub.ts', {});
let serial = 0;
try {
  const tenant = await seedSender(services, 'bench', 800);
  const startedAt = performance.now();
  await seedMessages({ services, dataDir }, tenant.id, count, { days });
  console.log(`${count} messages in ${Math.round((performance.now() - startedAt) / 1_000)} s`);
  const parley = await startServer('bench/parley.ts', {
    ...environment,
    PARLEY_NETWORK_URL: `http://127.0.0.1:${stub.port}`,
    PARLEY_MESSAGES_PER_SECOND: '0',
    PARLEY_PORT: '0',
    PARLEY_ROLES: 'api',
  });
  const send = (seconds: number) =>
    paced(`https://127.0.0.1:${parley.port}`, tenant.tokens, seconds, parley.child.pid!);
  try {
    await send(5);
    console.log(shown('before', await send(Number(values.seconds))));
    await showSizes('before');
    for (let round = 1; round <= Number(values.rounds); round++) {
      const expired = (Number(values.expire) / Number(values.rounds)) * round;
      await expireDays(days - expired, () => send(Number(values.seconds)));
      await showSizes(`after round ${round}`);
    }
    console.log(shown('after', await send(Number(values.seconds))));
  } finally {
    await parley.stop();
  }
} finally {
  await stub.stop();
  await close();
}

/** Deletes what is older than `keptDays`, waits for vacuum, and inserts as many new messages. */
async function expireDays(keptDays: number, send: () => Promise<Sends>): Promise<void> {
  const { config } = services;
  const of = { ...services, config: { ...config, messageRetentionDays: keptDays } };
  const before = await oldestId();
  const startedAt = performance.now();
  let done = false;
  const pruned = pruneMessages(of).then(() => {
    done = true;
    return (performance.now() - startedAt) / 1_000;
  });
  while (!done) console.log(shown('during', await send()));
  const seconds = await pruned;
  const deleted = (await oldestId()) - before;
  console.log(
    `deleted ${deleted} in ${seconds.toFixed(0)} s: ${Math.round(deleted / seconds)} a second`,
  );
  console.log(shown('vacuum', await send()));
  await vacuumed();
  await insertMessages(deleted);
}

async function oldestId(): Promise<number> {
  const { rows } = await services.db.query<{ id: number }>(sql`select min(id) as id from messages`);
  return rows[0]!.id;
}

/** Inserts messages of now, as many sends would, to see whether they reuse the space of the deleted ones. */
async function insertMessages(messages: number): Promise<void> {
  for (let from = 0; from < messages; from += insertsAtOnce) {
    await services.db.query(sql`
      with message as (
        insert into messages (tenant_id, number_id, direction, person, kind, content)
        select tenant_id, id, 'out', '+1' || (2000000000 + n % 1000000), 'text',
               '{"text":"Your order 123456 is on its way. Thank you for your trust."}'
        from numbers cross join generate_series(1, ${Math.min(insertsAtOnce, messages - from)}::int) as n
        returning tenant_id, id, created_at
      )
      insert into message_states (tenant_id, message_id, created_at, status, network_id, sent_at)
      select tenant_id, id, created_at, 'sent',
             'wamid.HBgLMTU1NTU1NTU1NTUVAgARGBI5QTNDQTVCM0Q0' || lpad(id::text, 12, '0'), created_at
      from message`);
  }
}

/** Waits until autovacuum has nothing to do, and prints what it did so far. */
async function vacuumed(): Promise<void> {
  const { db } = services;
  for (let quiet = 0; quiet < 3; ) {
    await sleep(15_000);
    const { rows } = await db.query<{ running: number }>(sql`
      select count(*)::int as running from pg_stat_progress_vacuum`);
    quiet = rows[0]!.running === 0 ? quiet + 1 : 0;
  }
  const { rows } = await db.query<{
    place: string;
    times: number;
    seconds: number;
    dead: number;
  }>(sql`
    select relname as place, autovacuum_count as times, n_dead_tup as dead,
           round(total_autovacuum_time / 1000) as seconds
    from pg_stat_user_tables where relname = any(${tables})`);
  for (const { place, times, seconds, dead } of rows) {
    console.log(
      `${place.padEnd(22)} ${times} vacuums, ${seconds} s in all, ${dead} dead rows left`,
    );
  }
}

async function showSizes(when: string): Promise<void> {
  const { rows } = await services.db.query<{ place: string; heap: number; indexes: number }>(sql`
    select name as place, pg_table_size(name::regclass) / 1048576 as heap,
           pg_indexes_size(name::regclass) / 1048576 as indexes
    from unnest(${tables}::text[]) as tables (name)`);
  const sizes = rows.map(({ place, heap, indexes }) => `${place} ${heap} + ${indexes}`);
  console.log(`MB of rows + indexes ${when}: ${sizes.join(', ')}`);
}

type Sends = { p50: number; p99: number; max: number; cpu: number };

async function paced(url: string, tokens: string[], seconds: number, pid: number): Promise<Sends> {
  const load = await preparePaced({
    url,
    perSecond,
    seconds,
    connections: 20,
    targets: tokens.map((token) => ({
      path: '/api/bench/messages/send',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })),
    body: JSON.stringify({ phone_number: '+44{serial}', type: 'text', message: 'Hello.' }),
    firstSerial: 7_000_000_000 + serial,
  });
  serial += perSecond * seconds;
  const spent = async () => (await cpuMs(pid)) + (await databaseCpuMs(dataDir));
  const before = await spent();
  const { p50, p99, max, failures } = await load.run();
  if (failures > 0) throw new Error(`${failures} sends failed`);
  return { p50, p99, max, cpu: ((await spent()) - before) / (perSecond * seconds) };
}

function shown(when: string, { p50, p99, max, cpu }: Sends): string {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  return `${when.padEnd(7)} sends p50 ${ms(p50)}, p99 ${ms(p99)}, longest ${ms(max)}; CPU of both programs ${ms(cpu)} a send`;
}
