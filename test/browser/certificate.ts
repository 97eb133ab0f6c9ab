import { createHash, X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadTls, type Tls } from '../../src/platform/tls/load-tls.ts';

let made: Promise<Tls> | undefined;

/** Returns the certificate of every dashboard that this worker serves. */
export function sharedTls(): Promise<Tls> {
  made ??= makeTls();
  return made;
}

async function makeTls(): Promise<Tls> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-certificate-'));
  try {
    return await loadTls({ dataDir, names: [] });
  } finally {
    await rm(dataDir, { recursive: true });
  }
}

/**
 * Has Chromium trust the certificate. If it only ignored the error, it would cache neither files nor compiled
 * code, and load everything again for each page.
 */
export function trustFlag({ cert }: Tls): string {
  const key = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  const hash = createHash('sha256').update(key).digest('base64');
  return `--ignore-certificate-errors-spki-list=${hash}`;
}
