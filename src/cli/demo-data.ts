import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSimulator } from '../simulator/control/proof.ts';

/**
 * The demo sends webhooks to programs on the same machine, which a public service must not. It has no load balancer,
 * and stops quickly.
 */
export const demoSettings = {
  allowPrivateAddresses: '127.0.0.0/8,::1/128',
  drainMs: '0',
  stopGraceMs: '1500',
  databaseWaitSeconds: '0',
};

/**
 * Records that the demo uses this data folder, and the address of its simulator, so that commands in another
 * terminal allow the same addresses and find the simulator. The service itself follows only its own settings.
 */
export async function recordDemo(
  dataDir: string,
  { url, proofKey: key }: { url: string; proofKey: string },
): Promise<void> {
  const record = recordIn(dataDir);
  // Removed first, because an existing file would keep its mode.
  await rm(record, { force: true });
  await writeFile(record, JSON.stringify({ simulator: { url, key } }), { mode: 0o600 });
}

/** Records that a service, not the demo, uses this data folder. */
export async function recordService(dataDir: string): Promise<void> {
  await rm(recordIn(dataDir), { force: true });
}

/** Whether the demo was the last to use this data folder. */
export function isOfDemo(dataDir: string): boolean {
  return existsSync(recordIn(dataDir));
}

/** Returns the address of the simulator of a data folder's demo; undefined unless that demo runs now. */
export async function findSimulator(dataDir: string): Promise<string | undefined> {
  try {
    const { simulator } = JSON.parse(await readFile(recordIn(dataDir), 'utf8'));
    return (await isSimulator(simulator)) ? simulator.url : undefined;
  } catch {
    return undefined;
  }
}

function recordIn(dataDir: string): string {
  return join(dataDir, 'demo');
}
