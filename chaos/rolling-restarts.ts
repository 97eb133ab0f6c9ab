/**
 * Restarts two processes behind HAProxy one after the other, under load: no request may fail. With `--last-release`
 * they start as processes of the last release, on its schema. This version's `parley migrate` runs beside them, and
 * both are replaced by processes of this version, then again by those of the last release, and so on. Needs `haproxy`
 * on the path, and for `--last-release` the history.
 *
 *     npm run chaos:restarts -- 100 [--last-release] [--drain-ms 3000] [--minutes 12]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { runParley } from '../test/program/bin-parley.ts';
import { checkOutLastRelease } from '../test/upgrades/check-out-last-release.ts';
import { parleySections, startHaproxy } from './haproxy.ts';
import { promise, startedBetween, summary } from './ledger.ts';
import { startLoad } from './load.ts';
import { openScene, until } from './open-scene.ts';
import { type ServiceProcess, startServe } from './service-process.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'last-release': { type: 'boolean', default: false },
    'drain-ms': { type: 'string', default: '3000' },
    /** No restart begins later. */
    minutes: { type: 'string', default: 'Infinity' },
  },
});
process.setMaxListeners(0);
const restarts = Number(positionals[0] ?? 100);
const perSecond = 10;
const front = 28_400;
const ports = [28_401, 28_402];

type Program = { openScene: typeof openScene; startServe: typeof startServe };
const thisVersion: Program = { openScene, startServe };
const checkout = values['last-release'] ? await checkOutLastRelease() : undefined;
const first = checkout ? await programOf(checkout) : thisVersion;

async function programOf(root: string): Promise<Program> {
  const load = (file: string) => import(pathToFileURL(join(root, 'chaos', file)).href);
  return { ...(await load('open-scene.ts')), ...(await load('service-process.ts')) };
}

const scene = await first.openScene();
const folder = await mkdtemp(join(tmpdir(), 'parley-chaos-'));
const environment = {
  ...scene.environment,
  PARLEY_MASTER_KEY: scene.masterKey,
  PARLEY_TRUSTED_PROXIES: '127.0.0.1/32',
  PARLEY_MIGRATE_AT_START: 'no',
  PARLEY_DRAIN_MS: values['drain-ms'],
};
const start = (place: number, program: Program): Promise<ServiceProcess> =>
  program.startServe({
    ...environment,
    PARLEY_PORT: String(ports[place]),
    PARLEY_DATA_DIR: join(folder, String(place)),
  });

const services = [await start(0, first), await start(1, first)];
const haproxy = await startHaproxy(folder, parleySections(front, ports));
const url = `http://127.0.0.1:${front}`;

/** Whether HAProxy uses both processes. */
const areBothUp = async () => (await haproxy.serversUp('parley')).length === 2;
await until(areBothUp);

const load = startLoad(url, scene.shop, perSecond);
if (checkout) {
  const { stdout } = await runParley(['migrate'], {
    ...process.env,
    ...environment,
    PARLEY_DATA_DIR: folder,
  });
  process.stdout.write(stdout);
}
const endsMs = Number(values.minutes) * 60_000;
for (let each = 0; each < restarts && load.now() < endsMs; each++) {
  const place = each % 2;
  const program = Math.floor(each / 2) % 2 === 0 ? thisVersion : first;
  const begun = load.now();
  await services[place]!.stop();
  const stopped = load.now();
  services[place] = await start(place, program);
  const started = load.now();
  await until(areBothUp);
  const steps = [begun, stopped, started, load.now()].map((ms) => (ms / 1_000).toFixed(1));
  const failed = startedBetween(load.entries, begun, load.now()).filter(
    ({ status }) => status !== 200,
  );
  process.stdout.write(
    `restart ${each + 1}, process ${place + 1}: told to stop, ended, ready, used at ${steps.join(', ')} s; failed: ${summary(failed)}${failed[0] ? `, the first at ${(failed[0].startedAt / 1_000).toFixed(1)} s` : ''}\n`,
  );
}
await load.stop();

const failed = load.entries.filter(({ status }) => status !== 200);
promise('no request fails', failed.length === 0, summary(load.entries));
const { acknowledged, lost, onNetwork } = await scene.count(load.entries);
promise('no acknowledged send is lost', lost === 0, `${acknowledged} acknowledged, ${lost} lost`);
promise('no message is sent twice', onNetwork === acknowledged, `${onNetwork} on the network`);

for (const service of services) await service.stop();
await haproxy.stop();
await scene.close();
await rm(folder, { recursive: true });
if (checkout) await rm(checkout, { recursive: true });
