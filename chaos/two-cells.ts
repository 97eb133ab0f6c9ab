import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPlace } from '../bench/open-place.ts';
import { seedSender } from '../bench/seed-tenant.ts';
import type { Services } from '../src/services.ts';
import { binParley } from '../test/program/bin-parley.ts';
import { startHaproxy } from './haproxy.ts';
import type { openScene } from './open-scene.ts';
import { startServe } from './service-process.ts';

export type CellName = 'one' | 'two';

const front = 28_500;
const ports = { one: 28_501, two: 28_502 };

/** Starts a second cell beside the scene, a process in each, and HAProxy in front of both, which routes to `one`. */
export async function openCells(scene: Awaited<ReturnType<typeof openScene>>) {
  const { environment: network, shop } = scene;
  const second = await openPlace({
    PARLEY_LOG_LEVEL: 'fatal',
    PARLEY_MESSAGES_PER_SECOND: '0',
    PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
    PARLEY_NETWORK_URL: network.PARLEY_NETWORK_URL,
  });
  // Its tenant has the id of the one that moves.
  await seedSender(second.services, 'neighbour-of-two', 1);
  const folder = await mkdtemp(join(tmpdir(), 'parley-cells-'));
  const common = {
    PARLEY_CELLS_DIR: folder,
    PARLEY_PROXY_MAPS: folder,
    PARLEY_PROXY_SOCKET: join(folder, 'haproxy.sock'),
    PARLEY_TRUSTED_PROXIES: '127.0.0.1/32',
    PARLEY_WEBHOOK_SCHEDULE: '0,2,5,10,20,30,60,60',
    PARLEY_STORE_SCHEDULE: '2,5,10,20,60',
    PARLEY_DRAIN_MS: '0',
  };
  const settings: Record<CellName, Record<string, string>> = {
    one: {
      ...network,
      ...common,
      PARLEY_CELL: 'one',
      PARLEY_MASTER_KEY: scene.masterKey,
      PARLEY_DATA_DIR: join(folder, 'one'),
    },
    two: { ...second.environment, ...common, PARLEY_CELL: 'two' },
  };
  for (const [name, each] of Object.entries(settings)) {
    const lines = Object.entries(each).map(([variable, value]) => `${variable}='${value}'\n`);
    await writeFile(join(folder, `${name}.env`), lines.join(''));
  }
  await writeFile(join(folder, 'tenants.map'), `${shop.slug} one\n`);
  await writeFile(join(folder, 'addresses.map'), '');
  const start = (name: CellName) =>
    startServe({ ...settings[name], PARLEY_PORT: String(ports[name]) });
  const processes = { one: await start('one'), two: await start('two') };
  const haproxy = await startHaproxy(folder, sectionsOf(folder));
  const services: Record<CellName, Services> = { one: scene.services, two: second.services };

  return {
    services,
    url: `http://127.0.0.1:${front}`,

    /**
     * Runs `parley tenant move` in a cell.
     *
     * @param killAt ends it by `kill -9` so many milliseconds after it printed this
     * @returns what it printed; undefined if it was killed
     */
    async move(
      name: CellName,
      args: string[],
      killAt?: { line: string; afterMs: number },
    ): Promise<string | undefined> {
      const child = spawn(binParley, ['tenant', 'move', shop.slug, ...args], {
        env: { ...process.env, ...settings[name] },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const { promise, resolve } = Promise.withResolvers<number | null>();
      child.once('exit', resolve);
      let printed = '';
      let isKilling = false;
      const read = (chunk: string) => {
        printed += chunk;
        if (!killAt || isKilling || !printed.includes(killAt.line)) return;
        isKilling = true;
        setTimeout(() => child.kill('SIGKILL'), killAt.afterMs);
      };
      child.stdout.setEncoding('utf8').on('data', read);
      child.stderr.setEncoding('utf8').on('data', read);
      const code = await promise;
      if (code === null) return undefined;
      if (code !== 0) throw new Error(`parley tenant move: ${printed}`);
      return printed;
    },

    /** Kills the process of a cell, and starts another one. */
    async kill(name: CellName): Promise<void> {
      processes[name].child.kill('SIGKILL');
      await sleep(500);
      processes[name] = await start(name);
    },

    /** In which cells the tenant serves. */
    async serving(): Promise<CellName[]> {
      const found: CellName[] = [];
      for (const name of ['one', 'two'] as const) {
        const { rows } = await services[name].db.pool.query(
          `select from tenants where slug = $1 and not exists (
             select from tenant_moves where tenant_id = tenants.id and state <> 'copying')`,
          [shop.slug],
        );
        if (rows.length > 0) found.push(name);
      }
      return found;
    },

    async close(): Promise<void> {
      await haproxy.stop();
      await processes.one.stop();
      await processes.two.stop();
      await second.close();
      await rm(folder, { recursive: true });
    },
  };
}

function sectionsOf(folder: string): string {
  return `
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
  use_backend %[path,field(4,/),map_beg(${folder}/addresses.map,one)] if { path_beg /api/webhooks/ }
  use_backend %[path,field(4,/),map_beg(${folder}/addresses.map,one)] if { path_beg /whatsapp/callbacks/ }
  use_backend %[path,field(3,/),map(${folder}/tenants.map,one)]
backend one
  server target 127.0.0.1:${ports.one}
backend two
  server target 127.0.0.1:${ports.two}
backend moving
  # Nobody listens there, so a request waits a second and tries again, with the address of that time.
  retries 60
  option redispatch 1
  server target 127.0.0.1:9
`;
}
