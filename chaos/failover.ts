/**
 * Lets the leader of a PostgreSQL cluster die under load, by turns with an error on every connection (kill -9) and
 * silently (its packets are dropped and its processes stopped). Two processes of Parley, HAProxy in front of them and
 * of the database. Needs root, `unshare`, `iptables`, and Debian's postgresql-15, patroni, etcd-server and haproxy.
 * Changes nothing outside its network namespace.
 *
 *     npm run chaos:failover -- 20
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startCluster } from './database-cluster.ts';
import { parleySections, startHaproxy } from './haproxy.ts';
import { type Entry, promise, startedBetween, summary } from './ledger.ts';
import { startLoad } from './load.ts';
import { openSceneOn, until } from './open-scene.ts';
import { startServe } from './service-process.ts';

const maxGapMs = 10_000;
const perSecond = 10;
const front = 28_640;
const ports = [28_641, 28_642];

if (process.argv[3] !== 'inside') {
  const script = fileURLToPath(import.meta.url);
  const inside = 'ip link set lo up && exec "$@"';
  const own = [process.execPath, script, process.argv[2] ?? '20', 'inside'];
  const args = ['-n', 'sh', '-c', inside, 'sh', ...own];
  const [code] = await once(spawn('unshare', args, { stdio: 'inherit' }), 'exit');
  process.exit(code);
}

process.setMaxListeners(0);
const failovers = Number(process.argv[2]);
const folder = await mkdtemp(join(tmpdir(), 'parley-failover-'));
const cluster = await startCluster(folder, 3);
await cluster.createDatabase();
const scene = await openSceneOn(cluster.url, join(folder, 'scene'));
const services = [];
for (const [place, port] of ports.entries()) {
  const dataDir = join(folder, `parley${place + 1}`);
  await mkdir(dataDir);
  const environment = {
    ...scene.environment,
    PARLEY_PORT: String(port),
    PARLEY_DATA_DIR: dataDir,
    PARLEY_MASTER_KEY: scene.masterKey,
    PARLEY_TRUSTED_PROXIES: '127.0.0.1/32',
    PARLEY_DRAIN_MS: '0',
  };
  services.push(await startServe(environment));
}
const proxyFolder = join(folder, 'proxy');
await mkdir(proxyFolder);
const haproxy = await startHaproxy(proxyFolder, parleySections(front, ports));
const areBothUp = async () => (await haproxy.serversUp('parley')).length === ports.length;
await until(areBothUp);
const load = startLoad(`http://127.0.0.1:${front}`, scene.shop, perSecond);
await sleep(3_000);

/** The longest time without a success, of requests that ended in a time span. */
function longestGap(entries: Entry[], from: number, to: number): number {
  const ends = entries
    .filter(({ status }) => status === 200)
    .map(({ startedAt, tookMs }) => startedAt + tookMs)
    .filter((at) => at > from && at < to)
    .sort((a, b) => a - b);
  return [...ends, to].reduce(
    ({ last, longest }, at) => ({ last: at, longest: Math.max(longest, at - last) }),
    { last: from, longest: 0 },
  ).longest;
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const gaps: number[] = [];
const stalls = monitorEventLoopDelay();
stalls.enable();
for (let each = 0; each < failovers; each++) {
  const isSilent = each % 2 === 1;
  const leader = await cluster.leader();
  const begun = load.now();
  await (isSilent ? cluster.silence(leader) : cluster.kill(leader));
  const died = load.now();
  stalls.reset();
  await cluster.whenElected(leader);
  const electedMs = load.now() - died;
  await cluster.whenReplaced(leader);
  const replacedMs = load.now() - died;
  await sleep(Math.max(0, maxGapMs - replacedMs));
  await until(areBothUp);
  await sleep(3_000);
  const ended = load.now();
  const sends = load.entries.filter(({ what }) => what === 'send');
  const gap = longestGap(sends, begun, ended);
  gaps.push(gap);
  // A machine without processor time delays every step.
  const stall = `the machine paused for up to ${seconds(stalls.max / 1e6)}`;
  process.stdout.write(
    `failover ${each + 1}, ${isSilent ? 'silent' : 'loud'}: a new leader after ${seconds(electedMs)}, used after ${seconds(replacedMs)}, ${seconds(gap)} without success; ${stall}; ${summary(startedBetween(sends, begun, ended))}\n`,
  );
  await cluster.revive(leader, isSilent);
}
await load.stop();

const longest = Math.max(...gaps);
promise('sends succeed again within 10 s', longest < maxGapMs, `at most ${seconds(longest)}`);
const { acknowledged, lost, onNetwork } = await scene.count(load.entries);
promise('no acknowledged send is lost', lost === 0, `${acknowledged} acknowledged, ${lost} lost`);
const isUncertain = ({ what, status, code }: Entry) =>
  what === 'send' && (status === 0 || status >= 502 || code === 'outcome_unknown');
const uncertain = load.entries.filter(isUncertain).length;
promise(
  'no message is sent twice',
  onNetwork <= acknowledged + uncertain,
  `${onNetwork} on the network, ${uncertain} whose client does not know`,
);

for (const service of services) await service.stop();
await haproxy.stop();
await scene.close();
await cluster.close();
// The logs explain what went wrong.
if (!process.exitCode) await rm(folder, { recursive: true, force: true });
process.exit();
