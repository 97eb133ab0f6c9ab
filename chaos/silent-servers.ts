/**
 * Drops the packets of the database, then those of the network, and then those of the name server by which both are
 * found, as if their machines had lost their power: no connection is closed. While the name server is silent, the
 * connections to the database are ended, so that its host has to be looked up. Needs root, `unshare` and `iptables`, and
 * changes nothing outside its namespaces of network and mounts.
 *
 *     npm run chaos:silence
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { firewallOf, firewallOfNames } from './firewall.ts';
import { promise, startedBetween, summary } from './ledger.ts';
import { startLoad } from './load.ts';
import { startNameServer } from './name-server.ts';
import { openScene } from './open-scene.ts';
import { startServe } from './service-process.ts';

/** How long the machine is dead before another one takes over its address. */
const deadMs = 15_000;
const withinMs = 10_000;
/** A little more than what the service waits, because the machine that measures is busy. */
const maxWaitMs = 2_500;

if (process.argv[2] !== 'inside') {
  const script = fileURLToPath(import.meta.url);
  const folder = await mkdtemp(join(tmpdir(), 'parley-names-'));
  const resolver = join(folder, 'resolv.conf');
  await writeFile(resolver, 'nameserver 127.0.0.1\n');
  const inside =
    'ip link set lo up && mount --bind "$1" "$(realpath /etc/resolv.conf)" && shift && exec "$@"';
  const own = [process.execPath, script, 'inside'];
  const args = ['-n', '-m', 'sh', '-c', inside, 'sh', resolver, ...own];
  const [code] = await once(spawn('unshare', args, { stdio: 'inherit' }), 'exit');
  await rm(folder, { recursive: true });
  process.exit(code);
}

await startNameServer();
const scene = await openScene();
const database = firewallOf(scene.databasePort);
const network = firewallOf(scene.networkPort);
const names = firewallOfNames(53);
/** No file of hosts has it, so that it is asked for. */
const byName = (url: string) => url.replace('127.0.0.1', 'machine.parley.test');
const service = await startServe({
  ...scene.environment,
  DATABASE_URL: byName(scene.environment.DATABASE_URL),
  PARLEY_NETWORK_URL: byName(scene.environment.PARLEY_NETWORK_URL),
  PARLEY_PORT: '28443',
  PARLEY_DRAIN_MS: '0',
});
const load = startLoad('https://localhost:28443', scene.shop, 20);
await sleep(5_000);

for (const [what, firewall] of Object.entries({ database, network, names })) {
  const isAffected = (entry: { what: string }) => what !== 'network' || entry.what === 'send';
  const diedAt = load.now();
  firewall.die();
  if (what === 'names') await endConnections();
  await sleep(deadMs);
  const replacedAt = load.now();
  firewall.replace();
  await sleep(20_000);
  const entries = load.entries.filter(isAffected);

  const caught = startedBetween(entries, diedAt - 200, diedAt + 3_000);
  const longest = Math.max(...caught.map(({ tookMs }) => tookMs));
  const limitMs = what === 'network' ? 22_000 : withinMs;
  promise(`${what}: requests that are caught end in time`, longest < limitMs, summary(caught));
  const later = startedBetween(entries, diedAt + withinMs, replacedAt - maxWaitMs);
  const waited = Math.max(...later.map(({ tookMs }) => tookMs));
  promise(`${what}: later ones wait for two seconds at most`, waited < maxWaitMs, summary(later));
  const known = ['no_connection', 'internal_error', 'outcome_unknown', 'network_unavailable'];
  const unclear = startedBetween(entries, diedAt, replacedAt).filter(
    ({ status, code }) => status !== 200 && !(status === 500 && known.includes(code!)),
  );
  promise(`${what}: all failures are clear`, unclear.length === 0, summary(unclear));
  const first = entries
    .filter(({ startedAt, status }) => startedAt > replacedAt && status === 200)
    .reduce((least, { startedAt, tookMs }) => Math.min(least, startedAt + tookMs), Infinity);
  const backMs = first - replacedAt;
  promise(`${what}: used again in time`, backMs < withinMs, `${(backMs / 1_000).toFixed(1)} s`);
  const after = startedBetween(entries, replacedAt + withinMs, Infinity);
  promise(
    `${what}: nothing fails afterwards`,
    after.every(({ status }) => status === 200),
    summary(after),
  );
}

/** Ends the connections of the service to the database. */
async function endConnections(): Promise<void> {
  const client = new pg.Client(scene.environment.DATABASE_URL);
  await client.connect();
  const { rows } = await client.query<{ ended: number }>(
    `select count(pg_terminate_backend(pid))::int as ended from pg_stat_activity
     where application_name = 'parley' and pid <> pg_backend_pid()`,
  );
  promise('connections to the database are ended', rows[0]!.ended > 0, `${rows[0]!.ended} ended`);
  await client.end();
}

const { rows } = await scene.services.db.pool.query(
  "select from pg_stat_activity where application_name = 'parley' and query like 'listen%' or query like 'select pid from pg_stat%'",
);
promise('the service listens', rows.length > 0, `${rows.length} connections`);
await load.stop();
const { acknowledged, lost, onNetwork } = await scene.count(load.entries);
promise('no acknowledged send is lost', lost === 0, `${acknowledged} acknowledged, ${lost} lost`);
const unknown = load.entries.filter(({ code }) => code === 'outcome_unknown').length;
promise(
  'no message is sent twice',
  onNetwork <= acknowledged + unknown,
  `${onNetwork} on the network, ${unknown} of unknown outcome`,
);
await service.stop();
await scene.close();
process.exit();
