import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import {
  allowLongTransactions,
  batchedSettings,
  type Settings,
  withSettings,
} from '../connections/connection-settings.ts';
import { createPools } from '../connections/create-pools.ts';
import { createNotifications, type Notifications } from '../connections/notifications.ts';
import { openSocket, trackClients } from '../connections/tracked-client.ts';
import { watchServer } from '../connections/watch-server.ts';
import { isOnStandby } from './failures/no-connection.ts';
import { createLanes, createLockedTenants, type Lanes } from './lanes.ts';
import type { Prepared } from './statement.ts';

/** Runs statements: the pool, or the connection of a transaction. */
export type Db = {
  query<Row extends pg.QueryResultRow>(
    statement: Sql | Prepared,
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
};

export type Database = Db & {
  pool: pg.Pool;
  /**
   * Runs batched statements. PostgreSQL may plan `update ... from unnest(...)` as a scan of the whole table
   * while the table is empty, and a kept plan stays that way as the table grows. These connections never
   * scan or hash where an index can be used, so their plans are good for all sizes and are kept.
   */
  batched: Db;
  /**
   * Runs batched statements that lock rows of several tenants (`createFairBatch`), on connections of their own. A
   * statement that waits for a lock for 1.5 s fails with the code of `isLockTimeout`, without effect.
   */
  fair: Db;
  /**
   * Runs the statements of requests that only read, on connections of their own with a statement timeout:
   * slow lists neither hold a connection for minutes nor take one from sends and writes. Each kind has the
   * same two pools as everything else.
   */
  reads: Record<ReadKind, Db & { batched: Db }>;
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>;
  /** A transaction whose statements wait for locks no longer than those of `fair`. */
  fairTransaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>;
  /** For batches whose runs are statements of `fair`, and for those whose runs are each a `fairTransaction`. */
  lanes: Record<'fair' | 'fairTransaction', Lanes>;
  /** Opens a connection of its own, for work of hours. The caller ends it. */
  connect(): Promise<pg.Client>;
  /** Opens a small pool whose `search_path` is one schema. */
  schemaPool(schema: string): pg.Pool;
  /**
   * Calls `onNotify` for each NOTIFY on `channel`, and with '' at first and whenever some may have been
   * missed. Returns a function that stops it.
   */
  listen: Notifications['listen'];
  /** The connections of this process, and the statements that wait for one. */
  usage(): { busy: number; idle: number; waiting: number };
  /** Whether the listening connection is lost: most likely the database is unreachable. */
  isLost: Notifications['isLost'];
  /** Takes a lock that lasts exactly as long as this process, even if it ends by kill -9. */
  lockForLife: Notifications['lockForLife'];
  close(): Promise<void>;
};

/** The user of a read: a client of the API, or a person at the dashboard. */
export type ReadKind = 'api' | 'dashboard';

const defaultReadTimeoutMs = 10_000;
/**
 * Longer than other statements usually hold a lock, than PostgreSQL takes to find a deadlock, and than a migration keeps
 * others waiting while it waits for a table.
 */
const maxLockWaitMs = 1_500;
const listenWithinMs = 2_000;
/** Few reads are batched, or need their plans. */
const maxBatchedReads = 2;

// bigint ids come from sequences, and stay inside JavaScript's safe integers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * @param maxConnections of the general pool, and of each kind of reads; batched statements have a few
 *   connections of their own
 */
export function openDatabase(
  connection: pg.PoolConfig,
  options: {
    maxConnections?: number;
    /** After this time PostgreSQL ends any statement, with the code of `isTimedOut`. By default, only reads have a limit. */
    statementTimeoutMs?: number | undefined;
    /** The same for the statements of reads. */
    readTimeoutsMs?: Record<ReadKind, number>;
    /** An idle connection failed; another one is opened when it is needed. */
    onError(error: Error): void;
    /** The listening connection was lost, and most likely the database with it. Called once per loss. */
    onLost?(error: Error): void;
    onBack?(): void;
  },
): Database {
  const {
    maxConnections = 10,
    statementTimeoutMs,
    readTimeoutsMs = { api: defaultReadTimeoutMs, dashboard: defaultReadTimeoutMs },
  } = options;
  let closing = false;
  // Connections that end at shutdown are not errors.
  const onError = (error: Error) => {
    if (!closing) options.onError(error);
  };
  const common = {
    application_name: 'parley',
    stream: openSocket,
    idleTimeoutMillis: 30_000,
    // A process whose machine vanished during a transaction must not hold its locks for hours.
    idle_in_transaction_session_timeout: 60_000,
    // A connection that only listens would not notice that a firewall dropped it. The kernel would wait two hours.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const { Client, open } = trackClients();
  const limit: Settings =
    statementTimeoutMs === undefined ? {} : { statement_timeout: String(statementTimeoutMs) };
  const configOf = (settings?: Settings) => ({
    ...common,
    ...withSettings(connection, { ...limit, ...settings }),
  });
  const listeningConfig = { ...configOf(), connectionTimeoutMillis: listenWithinMs };
  const notifications = createNotifications(() => new pg.Client(listeningConfig), {
    lost: (error) => options.onLost?.(error),
    back: () => options.onBack?.(),
  });
  const stopWatching = watchServer(open, notifications);
  const {
    openPool,
    usage,
    close: closePools,
  } = createPools({
    configOf: (settings) => ({ ...configOf(settings), Client }),
    isLost: notifications.isLost,
    onError,
  });
  const pool = openPool(maxConnections);
  const batched = openPool(5, batchedSettings);
  const fair = openPool(5, { ...batchedSettings, lock_timeout: String(maxLockWaitMs) });
  const locked = createLockedTenants();
  const openReads = (timeoutMs: number) => {
    const limit = { statement_timeout: String(timeoutMs) };
    return Object.assign(openPool(maxConnections, limit), {
      batched: openPool(maxBatchedReads, { ...batchedSettings, ...limit }),
    });
  };
  const reads = {
    api: openReads(readTimeoutsMs.api),
    dashboard: openReads(readTimeoutsMs.dashboard),
  };

  async function runTransaction<Result>(
    begin: string,
    work: (tx: Db) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query(begin);
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      if (isOnStandby(error)) broken = error as Error;
      await client.query('rollback').catch((lost: Error) => {
        broken = lost;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  return {
    pool,
    batched,
    fair,
    reads,
    query: (statement) => pool.query(statement),
    transaction: (work) => runTransaction('begin', work),
    // One round trip, because neither has parameters.
    fairTransaction: (work) =>
      runTransaction(`begin; set local lock_timeout = ${maxLockWaitMs}`, work),
    lanes: { fair: createLanes(locked), fairTransaction: createLanes(locked) },
    async connect() {
      const client = new pg.Client(configOf());
      // The statement under way fails.
      client.on('error', () => {});
      await client.connect();
      await allowLongTransactions(client);
      return client;
    },
    schemaPool: (schema) => openPool(4, { search_path: schema }),
    isLost: notifications.isLost,
    listen: notifications.listen,
    usage,
    lockForLife: notifications.lockForLife,
    async close() {
      closing = true;
      stopWatching();
      await notifications.close();
      await closePools();
    },
  };
}
