import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The demo posts to programs on the same machine, which a service for others must not. */
export const demoSettings = { allowPrivateAddresses: '127.0.0.0/8,::1/128' };

/**
 * Writes down whether the demo serves from a data folder, so that commands beside it check addresses
 * as it does. What a service really calls is decided by its own settings alone.
 */
export async function noteDemo(dataDir: string, isDemo: boolean): Promise<void> {
  if (isDemo) await writeFile(noteIn(dataDir), 'Served by `parley demo`.\n');
  else await rm(noteIn(dataDir), { force: true });
}

/** Whether it was the demo that served last from this data folder. */
export function isOfDemo(dataDir: string): boolean {
  return existsSync(noteIn(dataDir));
}

function noteIn(dataDir: string): string {
  return join(dataDir, 'demo');
}
