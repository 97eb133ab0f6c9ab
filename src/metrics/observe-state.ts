import { collectDefaultMetrics, Gauge } from 'prom-client';
import type { Config } from '../config.ts';
import type { Clock } from '../platform/clock.ts';
import { findClockOffset } from '../platform/database/clock-offset.ts';
import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import {
  countKeptBytes,
  countTroubles,
  findLargeTables,
  findQueueStates,
  findServerState,
} from './queries.ts';
import { withQueryTimeout } from './with-query-timeout.ts';

/**
 * Adds gauges that are read when they are scraped: the queues and problems of all tenants, which are the same
 * in every process, and the connections, memory and event loop of this process.
 *
 * @returns reads the values again. Those that the database does not say in time are left out
 */
export function observeState({
  db,
  clock,
  config,
  log,
  metrics: { registry },
}: {
  db: Database;
  clock: Clock;
  config: Pick<Config, 'silenceMinutes'>;
  log: Log;
  metrics: Metrics;
}): () => Promise<void> {
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const isUp = gauge('parley_database_up', '1 if the database responds, otherwise 0.');
  const clockOffset = gauge(
    'parley_clock_offset_seconds',
    'By how much the clock of this process is ahead of that of the database; negative if it is behind.',
  );
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
  const standbys = gauge(
    'parley_database_standbys',
    'Standbys of the database: synchronous or asynchronous. None is seen without the role pg_monitor.',
    ['state'],
  );
  const snapshot = gauge(
    'parley_database_oldest_snapshot_seconds',
    'The age of the oldest transaction with a snapshot, such as that of a backup. Meanwhile, no deleted row can be removed.',
  );
  const tableRows = gauge(
    'parley_database_rows',
    'The rows of each table with at least 10,000, as PostgreSQL estimates them: live or dead. Dead ones are deleted or replaced, and not removed by a vacuum yet.',
    ['table', 'state'],
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
    'Numbers that do not work (refused, set up wrongly, or silent) or were never proven to, or whose access token ends within two weeks, numbers that nobody has connected but that report to a tenant, webhooks that fail or were switched off for it, webhook quotas that are full, tokens that have used nine tenths of their daily quota, and tenants whose templates were not read for two days.',
    ['what'],
  );
  const numbers = gauge('parley_numbers', 'Connected numbers of all tenants.');
  const kept = gauge('parley_kept_files_bytes', 'The size of the inbound files that are kept.');

  const readable = gauge(
    'parley_state_readable',
    '1 if the last scrape could read this part of the state from the database. Otherwise its gauges are absent.',
    ['part'],
  );

  /** Reads some gauges. If the database takes too long, only these are left out. */
  async function readPart<State>(
    part: string,
    read: Promise<State>,
    { set, remove }: { set(state: State): void; remove(): void },
  ): Promise<void> {
    try {
      set(await withQueryTimeout(read));
      readable.set({ part }, 1);
    } catch (err) {
      log.debug({ err, part }, 'a part of the state of the database could not be read');
      remove();
      readable.set({ part }, 0);
    }
  }

  const readDatabase = () =>
    Promise.all([
      readPart('queues', findQueueStates(db.batched), {
        set(states) {
          for (const state of states) {
            due.set({ queue: state.queue }, state.due);
            oldest.set({ queue: state.queue }, state.oldest_seconds);
          }
        },
        remove() {
          for (const known of [due, oldest]) known.reset();
        },
      }),
      readPart('troubles', countTroubles(db, config.silenceMinutes), {
        set(troubles) {
          numbers.set(troubles.connected);
          troubled.set({ what: 'numbers' }, troubles.numbers);
          troubled.set({ what: 'numbers_not_verified' }, troubles.unverified);
          troubled.set({ what: 'expiring_tokens' }, troubles.expiring);
          troubled.set({ what: 'unconnected_numbers' }, troubles.unconnected);
          troubled.set({ what: 'webhooks' }, troubles.webhooks);
          troubled.set({ what: 'failing_webhooks' }, troubles.failing_webhooks);
          troubled.set({ what: 'webhook_quotas' }, troubles.quotas);
          troubled.set({ what: 'day_quotas' }, troubles.day_quotas);
          troubled.set({ what: 'stale_templates' }, troubles.stale_templates);
        },
        remove() {
          numbers.remove();
          troubled.reset();
        },
      }),
      readPart('server', findServerState(db), {
        set(server) {
          size.set(server.bytes);
          if (server.lag_bytes === null) lag.remove();
          else lag.set(server.lag_bytes);
          standbys.set({ state: 'synchronous' }, server.synchronous);
          standbys.set({ state: 'asynchronous' }, server.asynchronous);
          snapshot.set(server.oldest_snapshot_seconds);
        },
        remove() {
          standbys.reset();
          for (const known of [size, lag, snapshot]) known.remove();
        },
      }),
      readPart('tables', findLargeTables(db), {
        set(tables) {
          tableRows.reset();
          for (const { table, live, dead } of tables) {
            tableRows.set({ table, state: 'live' }, live);
            tableRows.set({ table, state: 'dead' }, dead);
          }
        },
        remove: () => tableRows.reset(),
      }),
      readPart('kept_files', countKeptBytes(db), {
        set: (bytes) => kept.set(bytes),
        remove: () => kept.remove(),
      }),
    ]);

  /** The queues can take longer than a scrape waits while the database works. */
  async function isResponding(): Promise<boolean> {
    return withQueryTimeout(findClockOffset(db, clock)).then(
      (seconds) => {
        clockOffset.set(seconds);
        return true;
      },
      () => {
        clockOffset.remove();
        return false;
      },
    );
  }

  return async () => {
    const responding = isResponding();
    await readDatabase();
    isUp.set((await responding) ? 1 : 0);
    const usage = db.usage();
    connections.set({ state: 'busy' }, usage.busy);
    connections.set({ state: 'idle' }, usage.idle);
    waiting.set(usage.waiting);
  };
}
