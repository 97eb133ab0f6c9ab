/**
 * Ten minutes of faults: two processes behind HAProxy serve sends, contacts, posts of a store, inbound messages and
 * webhooks, while processes are killed, also one of the database, the database and the network fall silent or are slow,
 * the network accepts messages and cuts the connection, other programs take all connections of the database, its disk is
 * full, and clocks jump. Then all that was confirmed is looked up in the database, the log of events, the simulated
 * network and the receivers of two webhooks. Needs root, `unshare`, `iptables` and `haproxy`,
 * and Debian's `libfaketime` for the clocks. The disk of the database is a tmpfs of 1 GB. Changes nothing outside its
 * namespaces of network and mounts.
 *
 *     npm run chaos
 *     npm run chaos -- 3     (minutes)
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { mapTopic } from '../src/stores/map-topic.ts';
import { createStore } from '../src/stores/setup/create-store.ts';
import { addEndpoint } from '../src/webhooks/endpoints/add-endpoint.ts';
import { setWebhook } from '../src/webhooks/set-webhook.ts';
import { startReceiver } from '../test/servers/receiver.ts';
import { countConfirmed } from './count-confirmed.ts';
import { countMessageEvents } from './count-events.ts';
import { firewallOf } from './firewall.ts';
import { parleySections, startHaproxy } from './haproxy.ts';
import { type Entry, promise, startedBetween, summary } from './ledger.ts';
import { startLoad } from './load.ts';
import { startMixedLoad } from './mixed-load.ts';
import { openScene, until } from './open-scene.ts';
import { type ServiceProcess, startServe } from './service-process.ts';

const front = 28_740;
const ports = [28_741, 28_742] as const;
const perSecond = 5;
const troubleMs = 8_000;
const restMs = 12_000;
/** Tables need another block after some seconds. */
const fullMs = 20_000;
const libfaketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1';

if (process.argv[3] !== 'inside') {
  if (process.getuid!() !== 0) {
    process.stderr.write('Run it as root: it needs a network and a disk of its own.\n');
    process.exit(1);
  }
  const script = fileURLToPath(import.meta.url);
  const disk = await mkdtemp(join(tmpdir(), 'parley-disk-'));
  const inside =
    'ip link set lo up && mount -t tmpfs -o size=1g,mode=755 parley "$1" && shift && exec "$@"';
  const own = [process.execPath, script, process.argv[2] ?? '10', 'inside', disk];
  const args = ['-n', '-m', 'sh', '-c', inside, 'sh', disk, ...own];
  const [code] = await once(spawn('unshare', args, { stdio: 'inherit' }), 'exit');
  await rm(disk, { recursive: true });
  process.exit(code);
}

process.setMaxListeners(0);
const minutes = Number(process.argv[2]);
const folder = await mkdtemp(join(tmpdir(), 'parley-chaos-'));
const disk = process.argv[4]!;
const scene = await openScene(disk, { events: true });
const { services, shop } = scene;
const hasFakeTime = existsSync(libfaketime);
const clockOf = (place: number) => join(folder, `clock${place}`);

async function start(place: 0 | 1): Promise<ServiceProcess> {
  await mkdir(join(folder, String(place)), { recursive: true });
  await writeFile(clockOf(place), '+0\n');
  return startServe({
    ...scene.environment,
    PARLEY_PORT: String(ports[place]),
    PARLEY_DATA_DIR: join(folder, String(place)),
    PARLEY_MASTER_KEY: scene.masterKey,
    PARLEY_TRUSTED_PROXIES: '127.0.0.1/32',
    PARLEY_WEBHOOK_SCHEDULE: '0,2,5,10,20,30,60,60',
    PARLEY_STORE_SCHEDULE: '2,5,10,20,60',
    PARLEY_DRAIN_MS: '0',
    ...(hasFakeTime && {
      LD_PRELOAD: libfaketime,
      FAKETIME_TIMESTAMP_FILE: clockOf(place),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }),
  });
}

const receiver = await startReceiver();
await setWebhook(services, shop.id, { url: `${receiver.url}/hook` });
await addEndpoint(services, shop.id, {
  name: 'messages',
  url: `${receiver.url}/messages`,
  events: ['message.*'],
  ordered: true,
});
const { store, secret } = await createStore(services, shop.id, {
  platform: 'woocommerce',
  name: 'Shop',
});
await mapTopic(services.db, shop.id, store.id, 'customer.created', {
  contact: { mode: 'upsert' },
  template: { name: 'hello_world', language: 'en_US', fields: [] },
});
const processes = [await start(0), await start(1)];
const haproxy = await startHaproxy(folder, parleySections(front, [...ports]));
const areBothUp = async () => (await haproxy.serversUp('parley')).length === 2;
await until(areBothUp);
await until(async () => {
  const found = 'select from templates where tenant_id = $1 limit 1';
  return (await services.db.pool.query(found, [shop.id])).rows.length > 0;
});
const url = `http://127.0.0.1:${front}`;
await scene.callBack(url);
// The network otherwise waits for minutes after a few refusals, which the end of the run would have to wait for too.
await scene.behave({ retryDelaysMs: Array.from({ length: 200 }, () => 5_000) });

const database = firewallOf(scene.databasePort);
const network = firewallOf(scene.networkPort);

/** Opens connections until the server has no more, and keeps them for a while. */
async function exhaustConnections(): Promise<void> {
  const taken: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client(scene.environment.DATABASE_URL);
    client.on('error', () => {});
    const isTaken = await client.connect().then(
      () => true,
      () => false,
    );
    if (!isTaken) break;
    taken.push(client);
  }
  await sleep(troubleMs);
  await Promise.all(taken.map((client) => client.end()));
}

async function kill(place: 0 | 1): Promise<void> {
  processes[place]!.child.kill('SIGKILL');
  await sleep(1_000);
  processes[place] = await start(place);
}

/** PostgreSQL then ends all of its processes, and recovers. */
async function killDatabaseProcess(): Promise<void> {
  const client = new pg.Client(scene.environment.DATABASE_URL);
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
  await sleep(troubleMs);
}

async function silence(firewall: typeof database): Promise<void> {
  firewall.die();
  await sleep(troubleMs);
  firewall.revive();
}

/** When the disk had room again. */
const emptied: number[] = [];

/** Fills the disk of the database to the last block, and frees it after a while. */
async function fillDisk(): Promise<void> {
  const path = join(disk, 'ballast');
  const file = await open(path, 'w');
  for (const size of [2 ** 20, 4_096]) {
    const block = Buffer.alloc(size);
    const isFull = (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOSPC') throw error;
      return { bytesWritten: 0 };
    };
    while ((await file.write(block).catch(isFull)).bytesWritten === size);
  }
  await file.close();
  await sleep(fullMs);
  await rm(path);
  emptied.push(load.now());
}

async function moveClock(place: number, by: string): Promise<void> {
  await writeFile(clockOf(place), `${by}\n`);
  await sleep(troubleMs);
  await writeFile(clockOf(place), '+0\n');
}

const troubles: [what: string, cause: () => Promise<void>][] = [
  ['a process is killed', () => kill(0)],
  ['the disk of the database is full', fillDisk],
  ['the database is silent', () => silence(database)],
  ['the network is silent', () => silence(network)],
  ['other programs take all connections', exhaustConnections],
  ['the disk of the database is full', fillDisk],
  [
    'both processes are killed',
    async () => {
      await Promise.all([kill(0), kill(1)]);
    },
  ],
  [
    'the network needs three seconds for each message',
    async () => {
      await scene.behave({ delayMs: 3_000 });
      await sleep(troubleMs);
      await scene.behave({ delayMs: null });
    },
  ],
  [
    'the network accepts messages and cuts the connection',
    async () => {
      await scene.behave({ answer: 'drop-after-accept' });
      await sleep(troubleMs);
      await scene.behave({ answer: null });
    },
  ],
  ['a process of the database is killed', killDatabaseProcess],
  ...(hasFakeTime
    ? ([
        ['the clock of a process is an hour ahead', () => moveClock(0, '+1h')],
        ['the clock of a process is an hour behind', () => moveClock(1, '-1h')],
      ] as [string, () => Promise<void>][])
    : []),
];
if (!hasFakeTime) process.stdout.write(`without clocks that jump: ${libfaketime} is missing\n`);

const load = startLoad(url, shop, perSecond);
const mixed = startMixedLoad(
  {
    ...{ url, slug: shop.slug, tokens: shop.tokens, simulatorUrl: scene.simulatorUrl },
    store: { webhookId: store.webhook_id, secret: secret! },
    phoneNumberId: scene.phoneNumberId,
  },
  perSecond,
);
for (let each = 0; load.now() < minutes * 60_000; each++) {
  const [what, cause] = troubles[each % troubles.length]!;
  const begun = load.now();
  await cause();
  await until(areBothUp);
  await sleep(restMs);
  const during = startedBetween(load.entries, begun, load.now());
  process.stdout.write(`${(begun / 1_000).toFixed(0)} s: ${what}: ${summary(during)}\n`);
}
await mixed.stop();
await load.stop();

/** Waits until nothing is left to do, or for five minutes. The network may still have to repeat a callback. */
async function settle(): Promise<number> {
  const waiting = async () => {
    const { rows } = await services.db.pool.query<{ waiting: number }>(
      `select (select count(*) from deliveries where state = 'waiting')
            + (select count(*) from store_events where state = 'waiting')
            + (select count(*) from event_batches)
            + (select count(*) from event_outbox)
            + cardinality($2::text[])
            - (select count(*) from message_states where tenant_id = $1 and network_id = any($2))
              as waiting`,
      [shop.id, [...mixed.confirmed.inbound]],
    );
    return Number(rows[0]!.waiting);
  };
  const until = Date.now() + 300_000;
  while ((await waiting()) > 0 && Date.now() < until) await sleep(1_000);
  return waiting();
}
for (const at of emptied) {
  const next = load.entries.find(
    ({ what, status, startedAt }) => what === 'send' && status === 200 && startedAt >= at,
  );
  const tookMs = next ? next.startedAt + next.tookMs - at : Number.POSITIVE_INFINITY;
  promise(
    'sends are accepted within 30 s after the disk has room again',
    tookMs <= 30_000,
    `${(tookMs / 1_000).toFixed(1)} s`,
  );
}
const left = await settle();
promise('all deliveries, posts and callbacks are processed', left === 0, `${left} wait`);
// A post whose message may have been sent, which nobody knows, has its message, and is not sent again.
const { rows: givenUp } = await services.db.pool.query<{ what: string }>(
  `select 'delivery ' || id as what from deliveries where state = 'failed'
   union all
   select 'post ' || id from store_events where state = 'failed' and message_id is null`,
);
const namesOf = (rows: { what: string }[]) => rows.map(({ what }) => what).join(', ');
promise('no delivery or post is given up', givenUp.length === 0, namesOf(givenUp) || 'none');

const sent = await scene.count(load.entries);
promise(
  'no acknowledged send is lost',
  sent.lost === 0,
  `${sent.acknowledged} acknowledged, ${sent.lost} lost`,
);
const isUncertain = ({ what, status, code }: Entry) =>
  what === 'send' && (status === 0 || status >= 502 || code === 'outcome_unknown');
const uncertain = load.entries.filter(isUncertain).length;
const { inbound, posts } = mixed.confirmed;
// The network counts what people wrote too.
const onNetwork = sent.onNetwork - inbound.size;
promise(
  'no message is sent twice',
  onNetwork <= sent.acknowledged + uncertain + posts.size,
  `${onNetwork} on the network, ${uncertain} whose client does not know, ${posts.size} of the store`,
);

const receivedAt = (path: string) => receiver.received.filter((each) => each.path === path);
await countConfirmed(services.db.pool, shop.slug, mixed.confirmed, receivedAt('/hook'));
await countMessageEvents(
  services.db.pool,
  shop.id,
  { url: `${url}/api/${shop.slug}/events`, token: shop.tokens[0]! },
  { sent: load.entries.flatMap(({ messageId }) => messageId ?? []), inbound },
  receivedAt('/messages'),
);

for (const each of processes) await each.stop();
await haproxy.stop();
await receiver.close();
await scene.close();
await rm(folder, { recursive: true, force: true });
process.exit();
