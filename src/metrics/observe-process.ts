import { X509Certificate } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { Gauge } from 'prom-client';
import about from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import type { Database } from '../platform/database/database.ts';
import type { Metrics } from '../platform/metrics.ts';
import { schemaVersion } from '../platform/migrating/schema-version.ts';
import { findRevision } from '../platform/revision.ts';

/**
 * Adds gauges of this process and its machine: its version, whether it gets notifications, and what runs out.
 *
 * @returns reads them again
 */
export function observeProcess({
  db,
  config: { dataDir },
  metrics: { registry },
}: {
  db: Pick<Database, 'isLost'>;
  config: Pick<Config, 'dataDir'>;
  metrics: Metrics;
}): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const labels = {
    version: about.version,
    revision: findRevision(),
    schema: String(schemaVersion),
  };
  gauge(
    'parley_build_info',
    'The running version, its revision and its schema.',
    Object.keys(labels),
  ).set(labels, 1);
  const listening = gauge(
    'parley_database_listening',
    '1 if this process hears of changes that others make, 0 while its listening connection is lost.',
  );
  const free = gauge('parley_data_free_bytes', 'Free space on the disk of the data folder.');
  const size = gauge('parley_data_size_bytes', 'The size of the disk of the data folder.');
  return async () => {
    listening.set(db.isLost() ? 0 : 1);
    const disk = await statfs(dataDir).catch(() => undefined);
    if (disk) {
      free.set(disk.bavail * disk.bsize);
      size.set(disk.blocks * disk.bsize);
    } else {
      for (const known of [free, size]) known.remove();
    }
  };
}

/** When a certificate ends, in seconds since 1970. */
export function expiryOf(cert: string): number {
  return Date.parse(new X509Certificate(cert).validTo) / 1_000;
}
