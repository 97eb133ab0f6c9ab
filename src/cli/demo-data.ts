import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSimulator } from '../simulator/control/proof.ts';

/** The demo posts to programs on the same machine, which a service for others must not. */
export const demoSettings = { allowPrivateAddresses: '127.0.0.0/8,::1/128' };

/**
 * Records that the demo serves from a data folder, and where its simulator is, so that commands in
 * another terminal check addresses as the demo does and find the simulator. What a service itself
 * calls is decided by its own settings alone.
 */
export async function recordDemo(
  dataDir: string,
  { url, proofKey: key }: { url: string; proofKey: string },
): Promise<void> {
  const record = recordIn(dataDir);
  // An existing file would keep its mode.
  await rm(record, { force: true });
  await writeFile(record, JSON.stringify({ simulator: { url, key } }), { mode: 0o600 });
}

/** Records that it is not the demo that serves from a data folder. */
export async function recordService(dataDir: string): Promise<void> {
  await rm(recordIn(dataDir), { force: true });
}

/** Whether it was the demo that served last from this data folder. */
export function isOfDemo(dataDir: string): boolean {
  return existsSync(recordIn(dataDir));
}

/** Where the simulator of a data folder's demo listens; undefined unless that demo runs now. */
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
