import { access, constants } from 'node:fs/promises';
import { lockFileOf } from './lock-maps.ts';
import { sendHaproxyCommand } from './send-haproxy-command.ts';

/**
 * Checks that this command can change the proxy, before a move, because it cannot be undone at its end.
 *
 * @throws Error that says which setting does not fit
 */
export async function checkProxy(given: {
  folder: string;
  maps: string[];
  socket: string;
  hook: string;
}): Promise<void> {
  const { folder, maps, socket, hook } = given;
  const { R_OK, W_OK, X_OK } = constants;
  if (folder !== '') {
    await refuse('PARLEY_PROXY_MAPS', access(folder, W_OK | X_OK));
    for (const map of maps) await refuse('PARLEY_PROXY_MAPS', accessExisting(map, R_OK));
    await refuse('PARLEY_PROXY_MAPS', accessExisting(lockFileOf(folder), R_OK | W_OK));
  }
  // Otherwise, it is found by PATH.
  if (hook.includes('/')) await refuse('PARLEY_PROXY_HOOK', access(hook, X_OK));
  if (socket !== '') await refuse('PARLEY_PROXY_SOCKET', findMaps(socket, maps));
}

/** The move creates a file that does not exist. */
async function accessExisting(path: string, mode: number): Promise<void> {
  await access(path, mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function findMaps(socket: string, maps: string[]): Promise<void> {
  for (const map of maps) {
    const response = await sendHaproxyCommand(socket, `get map ${map} parley`);
    if (!response.includes('type=')) throw new Error(`get map ${map}: ${response}`);
  }
}

async function refuse(setting: string, checking: Promise<void>): Promise<void> {
  await checking.catch((cause: Error) => {
    throw new Error(`The proxy cannot be changed (${setting}): ${cause.message}`, { cause });
  });
}
