import { parseArgs } from 'node:util';
import sql, { type Sql } from 'sql-template-tag';
import { messagesOf } from '../src/messages/conversations/conversation-queries.ts';
import type { Label } from '../src/messages/conversations/inbox/label-filter.ts';
import {
  endOfScan,
  inboxPage,
  labelledPage,
} from '../src/messages/conversations/inbox/list-conversations.ts';
import { findMessage } from '../src/messages/queries.ts';
import { applyStatuses } from '../src/messages/receiving/apply-statuses.ts';
import { insertContacts } from '../test/features/insert-contacts.ts';
import { openPlace } from './open-place.ts';
import { cpuMs, databaseCpuMs, median, putLoad, startServer } from './processes.ts';
import { networkIdOf, phoneOf, type SeededMessages, seedMessages } from './seed-messages.ts';
import { seedSender } from './seed-tenant.ts';

/**
 * Compares a tenant that has many messages with one that has few: sends, look-ups by the network's id and
 * status callbacks, each with a database of its own, in turns. Then shows the database's time for pages of the
 * inbox and of threads of the large one. The aim is 1.1 times the cost, and 10 ms a page.
 *
 * Look-ups and callbacks use the newest messages, because programs ask for messages that they have just sent.
 * `any age` uses all messages. Most of them are not in PostgreSQL's memory.
 */
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    few: { type: 'string', default: '100000' },
    many: { type: 'string', default: '20000000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
  },
});
const rounds = Number(values.rounds);
const tokenCount = 800;

const kinds = ['send', 'lookup', 'any age', 'status'] as const;
/** Look-ups of the newest messages are of so many. */
const newest = 50_000;

type Costs = Record<(typeof kinds)[number], number>;

const stub = await startServer('bench/network-stub.ts', {});
const few = await open(Number(values.few));
const many = await open(Number(values.many));
try {
  const ratios: Costs[] = [];
  for (let round = 0; round < rounds; round++) {
    const first = await measure(few);
    const second = await measure(many);
    ratios.push(
      Object.fromEntries(kinds.map((kind) => [kind, second[kind] / first[kind]])) as Costs,
    );
  }
  for (const kind of kinds) {
    const of = ratios.map((each) => each[kind]);
    console.log(
      `${kind.padEnd(7)} ${values.many} to ${values.few} messages: ${median(of).toFixed(2)} times the CPU` +
        `   (${of.map((ratio) => ratio.toFixed(2)).join(', ')})`,
    );
  }
  await showSizes();
  await showPages();
} finally {
  for (const place of [few, many]) await place.close();
  await stub.stop();
}

async function open(count: number) {
  const { dataDir, environment, services, close } = await openPlace();
  const tenant = await seedSender(services, 'bench', tokenCount);
  const startedAt = performance.now();
  const seeded = await seedMessages({ services, dataDir }, tenant.id, count);
  const tookSeconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`${count} messages of ${seeded.persons} persons in ${tookSeconds} s`);
  const server = await startServer('bench/parley.ts', {
    ...environment,
    PARLEY_NETWORK_URL: `http://127.0.0.1:${stub.port}`,
    PARLEY_MESSAGES_PER_SECOND: '0',
    PARLEY_PORT: '0',
    PARLEY_ROLES: 'api',
  });
  return {
    services,
    dataDir,
    tenant,
    seeded,
    server,
    next: 0,
    async close() {
      await server.stop();
      await close();
    },
  };
}

type Place = Awaited<ReturnType<typeof open>>;

/** Measures the milliseconds of CPU of each: of the server and PostgreSQL for a send, otherwise of PostgreSQL. */
async function measure(place: Place): Promise<Costs> {
  return { send: await costOfSend(place), ...(await costOfStatements(place)) };
}

async function costOfSend(place: Place): Promise<number> {
  const { server, tenant, dataDir } = place;
  const spent = async () => (await cpuMs(server.child.pid!)) + (await databaseCpuMs(dataDir));
  const before = await spent();
  const result = await putLoad({
    url: `https://127.0.0.1:${server.port}`,
    connections: 10,
    seconds: Number(values.seconds),
    stretch: 500,
    first: place.next,
    requests: tenant.tokens.map((token) => ({
      method: 'POST' as const,
      path: '/api/bench/messages/send',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ phone_number: '+447{serial}', type: 'text', message: 'Hello.' }),
    })),
  });
  place.next = result.next;
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  return ((await spent()) - before) / result.requests;
}

async function costOfStatements({
  services: { db },
  dataDir,
  tenant,
  seeded,
}: Place): Promise<Omit<Costs, 'send'>> {
  const { firstId, lastId } = seeded;
  const costOf = async (count: number, work: () => Promise<unknown>) => {
    const before = await databaseCpuMs(dataDir);
    await work();
    return ((await databaseCpuMs(dataDir)) - before) / count;
  };
  const idAmong = (count: number) => lastId - Math.floor(Math.random() * count);
  const costOfLookups = (among: number) =>
    costOf(4_000, async () => {
      for (let each = 0; each < 4_000; each++) {
        await findMessage(db, tenant.id, networkIdOf(idAmong(among)));
      }
    });
  const lookup = await costOfLookups(newest);
  const anyAge = await costOfLookups(lastId - firstId);
  const status = await costOf(6_000, async () => {
    for (let each = 0; each < 60; each++) {
      const ids = Array.from({ length: 100 }, () => idAmong(newest));
      const reported = ids.map((id) => ({
        tenantId: tenant.id,
        id,
        networkId: networkIdOf(id),
        status: 'read' as const,
        at: new Date(),
        error: null,
        pricing: null,
      }));
      await applyStatuses(db.batched, reported);
    }
  });
  return { lookup, 'any age': anyAge, status };
}

async function showSizes(): Promise<void> {
  const { rows } = await many.services.db.pool.query<{ bytes: string }>(`
    select round(sum(pg_total_relation_size(name::regclass))
      / (select reltuples from pg_class where relname = 'messages')) as bytes
    from unnest(array['messages', 'message_states']) as tables (name)`);
  console.log(`${rows[0]!.bytes} bytes for each message, with indexes`);
}

async function showPages(): Promise<void> {
  const { tenant, seeded } = many;
  const { busyPhone, firstId, lastId, persons } = seeded;
  const middle = firstId + Math.floor((lastId - firstId) / 2);
  const deep = firstId + Math.floor((lastId - firstId) * 0.88);
  const page = (before: number) => ({ before, limit: 30 });
  const pages: [string, Sql][] = [
    ['inbox, first page', inboxPage(tenant.id, page(Number.MAX_SAFE_INTEGER), {})],
    ['inbox, deep', inboxPage(tenant.id, page(deep), {})],
    ['inbox, middle of the history', inboxPage(tenant.id, page(middle), {})],
    ['inbox of a number, deep', inboxPage(tenant.id, page(deep), { numberId: seeded.numberId })],
    ['unread', inboxPage(tenant.id, page(Number.MAX_SAFE_INTEGER), { view: 'unread' })],
    ['unread, deep', inboxPage(tenant.id, page(deep), { view: 'unread' })],
    ['unassigned, deep', inboxPage(tenant.id, page(deep), { view: 'unassigned' })],
    ['thread of many messages', messagesOf(tenant.id, busyPhone, undefined, 50)],
    ['the same, deep', messagesOf(tenant.id, busyPhone, lastId - 100_000, 50)],
    ['thread of few messages', messagesOf(tenant.id, phoneOf(persons), undefined, 50)],
  ];
  pages.push(...(await pagesByLabel(many, deep)));
  for (const [name, { text, values }] of pages) {
    const times = [];
    for (let time = 0; time < 5; time++) {
      const { rows } = await many.services.db.pool.query<{ 'QUERY PLAN': [Explained] }>(
        `explain (analyze, timing off, format json) ${text}`,
        values,
      );
      const [plan] = rows[0]!['QUERY PLAN'];
      times.push(plan['Planning Time'] + plan['Execution Time']);
    }
    console.log(
      `${name.padEnd(30)} ${median(times).toFixed(1)} ms, at most ${Math.max(...times).toFixed(1)}`,
    );
  }
}

/** The statements of pages by labels of few and many contacts, which are spread evenly over the conversations. */
async function pagesByLabel(
  { services: { db }, tenant, seeded }: Place,
  deep: number,
): Promise<[string, Sql][]> {
  const pages: [string, Sql][] = [];
  for (const size of [10, 800, 2_000, 40_000, 400_000]) {
    const label = await labelContacts(db, tenant.id, seeded, size);
    for (const view of [undefined, 'unread'] as const) {
      for (const before of [Number.MAX_SAFE_INTEGER, deep]) {
        const page = { before, limit: 30 };
        const place = before === deep ? 'deep' : 'first page';
        const name = `label of ${size}, ${view ?? 'all'}, ${place}`;
        if (size <= 800) {
          pages.push([name, labelledPage(tenant.id, page, { view }, label)]);
          continue;
        }
        const end = endOfScan(tenant.id, page, { view });
        const { rows } = await db.query<{ id: number }>(end);
        const range = { ...page, after: rows[0]?.id };
        pages.push([`${name}, its end`, end]);
        pages.push([name, inboxPage(tenant.id, range, { view }, label)]);
      }
    }
  }
  await db.pool.query('analyze contacts');
  return pages;
}

/** Gives `size` persons a contact with a new status. */
async function labelContacts(
  db: Place['services']['db'],
  tenantId: number,
  { persons }: SeededMessages,
  size: number,
): Promise<Label> {
  const { rows } = await db.query<{ id: number }>(sql`
    insert into statuses (tenant_id, name) values (${tenantId}, ${`of ${size}`}) returning id`);
  const id = rows[0]!.id;
  const step = Math.max(1, Math.floor(persons / size));
  // Persons of another label are left out.
  await insertContacts(
    db,
    'tenant_id, firstname, phone, status_id',
    sql`
      select ${tenantId}, 'Ada', phone, ${id}::bigint
      from (
        select '+1' || (2000000000 + n) as phone
        from generate_series(${step}::bigint, ${persons}::bigint, ${step}) as n
      ) as persons
      where not exists (
        select from contacts where contacts.tenant_id = ${tenantId} and phone_identity = persons.phone)
      limit ${size}`,
  );
  return { kind: 'status', id };
}

type Explained = { 'Planning Time': number; 'Execution Time': number };
