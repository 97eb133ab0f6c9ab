/**
 * Restarts two processes behind HAProxy one after the other, under load: no request may fail. Needs `haproxy` on the
 * path.
 *
 *     npm run chaos:restarts -- 100
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parleySections, startHaproxy } from './haproxy.ts';
import { promise, startedBetween, summary } from './ledger.ts';
import { startLoad } from './load.ts';
import { openScene, until } from './open-scene.ts';
import { type ServiceProcess, startServe } from './service-process.ts';

process.setMaxListeners(0);
const restarts = Number(process.argv[2] ?? 100);
const perSecond = 10;
const front = 28_400;
const ports = [28_401, 28_402];

const scene = await openScene();
const folder = await mkdtemp(join(tmpdir(), 'parley-chaos-'));
const start = (place: number): Promise<ServiceProcess> =>
  startServe({
    ...scene.environment,
    PARLEY_PORT: String(ports[place]),
    PARLEY_DATA_DIR: join(folder, String(place)),
    PARLEY_MASTER_KEY: scene.masterKey,
    PARLEY_TRUSTED_PROXIES: '127.0.0.1/32',
  });

const services = [await start(0), await start(1)];
const haproxy = await startHaproxy(folder, parleySections(front, ports));
const url = `http://127.0.0.1:${front}`;

/** Whether HAProxy uses both processes. */
const areBothUp = async () => (await haproxy.serversUp('parley')).length === 2;
await until(areBothUp);

const load = startLoad(url, scene.shop, perSecond);
for (let each = 0; each < restarts; each++) {
  const place = each % 2;
  const begun = load.now();
  await services[place]!.stop();
  const stopped = load.now();
  services[place] = await start(place);
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
