/**
 * Moves a tenant from one cell to another behind HAProxy, under load, as docs/scaling.md describes: no request may fail,
 * and nothing may be lost or doubled. Needs `haproxy` on the path.
 *
 *     npm run chaos:move -- 20000
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openPlace } from '../bench/open-place.ts';
import { seedSender } from '../bench/seed-tenant.ts';
import { binParley } from '../test/program/bin-parley.ts';
import { promise, startedBetween, summary } from './ledger.ts';
import { startLoad } from './load.ts';
import { openScene, until } from './open-scene.ts';
import { startServe } from './service-process.ts';

process.setMaxListeners(0);
const messages = Number(process.argv[2] ?? 20_000);
const perSecond = 10;
const [front, one, two] = [28_500, 28_501, 28_502];

const scene = await openScene();
const { environment: network } = scene;
const second = await openPlace({
  PARLEY_LOG_LEVEL: 'fatal',
  PARLEY_MESSAGES_PER_SECOND: '0',
  PARLEY_CELL: 'two',
  PARLEY_NETWORK_URL: network.PARLEY_NETWORK_URL,
});
// Its tenant has the id of the one that moves.
await seedSender(second.services, 'neighbour', 1);
const folder = await mkdtemp(join(tmpdir(), 'parley-chaos-'));
const maps = join(folder, 'tenants.map');
const socketPath = join(folder, 'haproxy.sock');
const keyFile = join(folder, 'key');
await writeFile(keyFile, 'correct horse battery staple');
await writeFile(maps, `${scene.shop.slug} one\n`);
const cells = {
  one: { ...network, PARLEY_MASTER_KEY: scene.masterKey, PARLEY_DATA_DIR: join(folder, 'one') },
  two: second.environment,
};
const parley = async (cell: keyof typeof cells, ...args: string[]) => {
  const env = { ...process.env, ...cells[cell] };
  const { stdout } = await promisify(execFile)(binParley, args, { env });
  process.stdout.write(`${stdout.trim().split('\n')[0]}\n`);
};

await writeFile(
  join(folder, 'haproxy.cfg'),
  `
global
  stats socket ${socketPath} level admin
defaults
  mode http
  timeout connect 2s
  timeout client 120s
  timeout server 60s
  retries 0
frontend front
  bind 127.0.0.1:${front}
  http-request set-header X-Forwarded-Proto https
  http-request set-header X-Forwarded-For %[src]
  use_backend %[path,field(3,/),map(${maps},one)]
backend one
  server target 127.0.0.1:${one}
backend two
  server target 127.0.0.1:${two}
backend moving
  # Nobody listens there, so a request waits a second and tries again, with the address of that time.
  retries 60
  option redispatch 1
  server target 127.0.0.1:9
`,
);
async function tell(command: string): Promise<void> {
  const socket = connect(socketPath);
  socket.end(`${command}\n`);
  process.stdout.write(`${command}\n${(await text(socket)).trim()}\n`);
}

await scene.services.db.pool.query(
  `with made as (
     insert into messages (tenant_id, number_id, direction, person, kind, content)
     select $1, numbers.id, 'out', '+1212' || (5550000 + n % 5000), 'text', '{"text": "Hello"}'
     from generate_series(1, $2) as n join numbers on tenant_id = $1
     returning *
   )
   insert into message_states (tenant_id, message_id, created_at, status, network_id)
   select tenant_id, id, created_at, 'sent', 'wamid.before.' || id from made`,
  [scene.shop.id, messages],
);
const proxied = { PARLEY_TRUSTED_PROXIES: '127.0.0.1/32' };
const services = [
  await startServe({ ...cells.one, ...proxied, PARLEY_PORT: String(one) }),
  await startServe({ ...cells.two, ...proxied, PARLEY_PORT: String(two) }),
];
const haproxy = spawn('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'inherit' });
process.once('exit', () => haproxy.kill());
await until(() => stat(socketPath).then(Boolean, () => false));

const load = startLoad(`http://127.0.0.1:${front}`, scene.shop, perSecond);
await sleep(5_000);
const file = join(folder, 'shop.tenant');
const { slug } = scene.shop;
const held = load.now();
await tell(`set map ${maps} ${slug} moving`);
await parley('one', 'tenant', 'export', slug, '--to', file, '--key-file', keyFile, '--drain', '30');
await parley('two', 'tenant', 'import', file, '--key-file', keyFile, '--stopped');
await tell(`set server moving/target addr 127.0.0.1 port ${two}`);
await tell(`set map ${maps} ${slug} two`);
const moved = load.now();
await sleep(5_000);
await load.stop();

const { entries } = load;
const failed = entries.filter(({ status }) => status !== 200);
promise('no request fails', failed.length === 0, summary(entries));
const before = startedBetween(entries, 0, held).length;
const during = startedBetween(entries, held, moved).length;
promise(
  'requests are held at most 60 s',
  moved - held < 60_000,
  `${((moved - held) / 1_000).toFixed(1)} s; ${before} requests before, ${during} meanwhile, ${entries.length - before - during} after`,
);
const { acknowledged, lost, onNetwork } = await scene.count(entries, second.services);
promise('no acknowledged send is lost', lost === 0, `${acknowledged} acknowledged, ${lost} lost`);
promise('no message is sent twice', onNetwork === acknowledged, `${onNetwork} on the network`);
const { rows } = await second.services.db.pool.query(
  `select count(*)::int as count from message_states where network_id like 'wamid.before.%'`,
);
promise('earlier messages moved', rows[0].count === messages, `${rows[0].count} of ${messages}`);

for (const service of services) await service.stop();
haproxy.kill();
await once(haproxy, 'exit');
await scene.close();
await second.close();
await rm(folder, { recursive: true });
