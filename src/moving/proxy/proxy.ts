import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Config } from '../../config.ts';
import { checkProxy } from './check-proxy.ts';
import { lockMaps } from './lock-maps.ts';
import { mapsIn, readMap, replaceMap } from './map-files.ts';
import { sendHaproxyCommand } from './send-haproxy-command.ts';

/** The keys that a proxy routes to a cell: the slug of a tenant, and the parts of its callback and store URLs. */
export type Routed = { slug: string; addresses: string[] };

/** Requests to this backend of HAProxy wait; see docs/scaling.md. */
const waitingBackend = 'moving';
/** Nobody listens there. */
const nowhere = { address: '127.0.0.1', port: '9' };

/**
 * Changes the maps of the proxy in front of the cells: those of a running HAProxy, by its socket, and the files that it
 * reads at its start. Each part is optional. From `hold` to `route`, and during each `route`, no other command changes
 * them: the requests of all moves wait for one server, and a map is read, changed and replaced.
 */
export function createProxy({
  proxyMaps: folder,
  proxySocket: socket,
  proxyHook: hook,
}: Pick<Config, 'proxyMaps' | 'proxySocket' | 'proxyHook'>) {
  const maps = mapsIn(folder);

  const sendCommand = (command: string) => sendHaproxyCommand(socket, command);
  let unlock: (() => void) | undefined;

  async function lock(): Promise<void> {
    if (folder !== '') unlock ??= await lockMaps(folder);
  }

  async function setLine(map: string, key: string, cell: string): Promise<void> {
    if ((await sendCommand(`set map ${map} ${key} ${cell}`)) === '') return;
    const problem = await sendCommand(`add map ${map} ${key} ${cell}`);
    if (problem !== '') throw new Error(`HAProxy did not route ${key} to ${cell}: ${problem}`);
  }

  async function setLines({ slug, addresses }: Routed, cell: string): Promise<void> {
    for (const address of addresses) await setLine(maps.addresses, address, cell);
    if (cell !== waitingBackend) await setLine(maps.tenants, slug, cell);
  }

  async function canWait(): Promise<boolean> {
    return socket !== '' && (await serverOf(waitingBackend)) !== undefined;
  }

  /** Finds a server of a backend that is up. */
  async function serverOf(backend: string) {
    const state = await sendCommand(`show servers state ${backend}`);
    const servers = state
      .split('\n')
      .filter((line) => /^\d+ /.test(line))
      .map((line) => line.split(' '));
    const up = servers.find((fields) => fields[5] === '2') ?? servers[0];
    return up && { address: up[4]!, port: up[18]! };
  }

  async function pointWaiting({ address, port }: { address: string; port: string }): Promise<void> {
    await sendCommand(`set server ${waitingBackend}/target addr ${address} port ${port}`);
  }

  async function change({ slug, addresses }: Routed, cell: string): Promise<void> {
    if (folder !== '') {
      await writeLines(maps.tenants, [slug], cell);
      await writeLines(maps.addresses, addresses, cell);
    }
    if (socket !== '') {
      const server = await serverOf(cell);
      if (server && (await canWait())) await pointWaiting(server);
      await setLines({ slug, addresses }, cell);
    }
    if (hook !== '') {
      const environment = { PARLEY_MOVED_TENANT: slug, PARLEY_MOVED_TO: cell };
      await promisify(execFile)(hook, [], { env: { ...process.env, ...environment } });
    }
  }

  return {
    /** @throws Error if this command cannot change the proxy */
    check: () => checkProxy({ folder, maps: Object.values(maps), socket, hook }),

    /** Makes store posts and callbacks wait in the proxy. API requests still reach the cell, which responds. */
    async hold(routed: Routed): Promise<void> {
      await lock();
      if (!(await canWait())) return;
      await pointWaiting(nowhere);
      await setLines(routed, waitingBackend);
    },

    /** Routes all requests of the tenant to a cell, including those that wait. */
    async route(routed: Routed, cell: string): Promise<void> {
      await lock();
      try {
        await change(routed, cell);
      } finally {
        unlock?.();
        unlock = undefined;
      }
    },

    /** Whether this command can change the proxy. */
    isKnown: folder !== '' || hook !== '',
  };
}

/** Sets the lines of some keys in a map. */
async function writeLines(path: string, keys: string[], cell: string): Promise<void> {
  const lines = await readMap(path);
  const kept = lines.filter((line) => !keys.includes(line.split(/\s/)[0]!));
  await replaceMap(path, [...kept, ...keys.map((key) => `${key} ${cell}`)]);
}
