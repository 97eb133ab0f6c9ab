import { collectDefaultMetrics, Gauge } from 'prom-client';
import type { Config } from '../config.ts';
import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { countKeptBytes, countTroubles, findQueueStates, findServerState } from './queries.ts';
import { withQueryTimeout } from './with-query-timeout.ts';

/**
 * Adds gauges that are read when they are scraped: the queues and problems of all tenants, which are the same
 * in every process, and the connections, memory and event loop of this process.
 *
 * @returns reads the values again. While the database does not respond, its gauges are left out
 */
export function observeState({
  db,
  config,
  log,
  metrics: { registry },
}: {
  db: Database;
  config: Pick<Config, 'silenceMinutes'>;
  log: Log;
  metrics: Metrics;
}): () => Promise<void> {
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const isUp = gauge('parley_database_up', '1 if the database responds, otherwise 0.');
  const connections = gauge(
    'parley_database_connections',
    'Connections of this process to the database: busy or idle.',
    ['state'],
  );
  const waiting = gauge(
    'parley_database_waiting',
    'Statements of this process that wait for a connection.',
  );
  const size = gauge('parley_database_size_bytes', 'The size of the database on disk.');
  const lag = gauge(
    'parley_database_standby_lag_bytes',
    'How far the slowest standby is behind. Absent without standbys, or without the role pg_monitor.',
  );
  const due = gauge(
    'parley_queue_due',
    'Items that are due now, counting at most a thousand of each endpoint or tenant.',
    ['queue'],
  );
  const oldest = gauge(
    'parley_queue_oldest_due_seconds',
    'How long the oldest due item of all tenants has waited.',
    ['queue'],
  );
  const troubled = gauge(
    'parley_troubled',
    'Numbers that do not work (refused, set up wrongly, or silent) or were never proven to, webhooks switched off after failures, and webhook quotas that are full.',
    ['what'],
  );

  const kept = gauge('parley_kept_files_bytes', 'The size of the inbound files that are kept.');

  async function readDatabase(): Promise<void> {
    const reads = [
      findQueueStates(db.batched),
      countTroubles(db, config.silenceMinutes),
      findServerState(db),
      countKeptBytes(db),
    ] as const;
    const [queues, { numbers, unverified, webhooks, quotas }, server, keptBytes] =
      await withQueryTimeout(Promise.all(reads));
    size.set(server.bytes);
    kept.set(keptBytes);
    if (server.lag_bytes === null) lag.remove();
    else lag.set(server.lag_bytes);
    for (const state of queues) {
      due.set({ queue: state.queue }, state.due);
      oldest.set({ queue: state.queue }, state.oldest_seconds);
    }
    troubled.set({ what: 'numbers' }, numbers);
    troubled.set({ what: 'numbers_not_verified' }, unverified);
    troubled.set({ what: 'webhooks' }, webhooks);
    troubled.set({ what: 'webhook_quotas' }, quotas);
  }

  return async () => {
    try {
      await readDatabase();
      isUp.set(1);
    } catch (err) {
      log.debug({ err }, 'the state of the database could not be read');
      for (const known of [due, oldest, troubled]) known.reset();
      size.remove();
      kept.remove();
      lag.remove();
      isUp.set(0);
    }
    const usage = db.usage();
    connections.set({ state: 'busy' }, usage.busy);
    connections.set({ state: 'idle' }, usage.idle);
    waiting.set(usage.waiting);
  };
}
