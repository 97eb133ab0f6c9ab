/**
 * Drops the packets of the database, and then those of the network, as if their machines had lost their power: no
 * connection is closed. Needs root, `unshare` and `iptables`, and changes nothing outside its network namespace.
 *
 *     npm run chaos:silence
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { firewallOf } from './firewall.ts';
import { promise, startedBetween, summary } from './ledger.ts';
import { startLoad } from './load.ts';
import { openScene } from './open-scene.ts';
import { startServe } from './service-process.ts';

/** How long the machine is dead before another one takes over its address. */
const deadMs = 15_000;
const withinMs = 10_000;
/** A little more than what the service waits, because the machine that measures is busy. */
const maxWaitMs = 2_500;

if (process.argv[2] !== 'inside') {
  const script = fileURLToPath(import.meta.url);
  const inside = 'ip link set lo up && exec "$@"';
  const args = ['-n', 'sh', '-c', inside, 'sh', process.execPath, script, 'inside'];
  const [code] = await once(spawn('unshare', args, { stdio: 'inherit' }), 'exit');
  process.exit(code);
}

const scene = await openScene();
const database = firewallOf(scene.databasePort);
const network = firewallOf(scene.networkPort);
const service = await startServe({
  ...scene.environment,
  PARLEY_PORT: '28443',
  PARLEY_DRAIN_MS: '0',
});
const load = startLoad('https://localhost:28443', scene.shop, 20);
await sleep(5_000);

for (const [what, firewall] of Object.entries({ database, network })) {
  const isAffected = (entry: { what: string }) => what === 'database' || entry.what === 'send';
  const diedAt = load.now();
  firewall.die();
  await sleep(deadMs);
  const replacedAt = load.now();
  firewall.replace();
  await sleep(20_000);
  const entries = load.entries.filter(isAffected);

  const caught = startedBetween(entries, diedAt - 200, diedAt + 3_000);
  const longest = Math.max(...caught.map(({ tookMs }) => tookMs));
  const limitMs = what === 'database' ? withinMs : 22_000;
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
