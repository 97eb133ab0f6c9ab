import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { createNotifications, type Notifications } from './notifications.ts';
import type { Prepared } from './statement.ts';

/** Whatever runs a statement: the pool, or the connection of a transaction. */
export type Db = {
  query<Row extends pg.QueryResultRow>(
    statement: Sql | Prepared,
  ): Promise<{ rows: Row[]; rowCount: number | null }>;
};

export type Database = Db & {
  pool: pg.Pool;
  /**
   * For the batched statements: `update ... from unnest(...)` may be planned as a scan of the whole
   * table while that is empty, and a kept plan stays so when it has grown. These connections never
   * scan or hash what an index can find; so their plans are good for all sizes, and are kept.
   */
  batched: Db;
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>;
  /** A small pool of its own whose unqualified names are those of one schema. */
  schemaPool(schema: string): pg.Pool;
  /**
   * Calls `onNotify` for each NOTIFY on `channel`, and with '' at first and whenever some may have
   * been missed. Returns what ends it.
   */
  listen: Notifications['listen'];
  /** Connections of this process, and statements that wait for one. */
  usage(): { busy: number; idle: number; waiting: number };
  /** Whether the connection that listens is lost, which was told: most likely the database is away. */
  isLost: Notifications['isLost'];
  /** Holds a lock that lasts exactly as long as this process: it ends with it, even by kill -9. */
  hold: Notifications['hold'];
  close(): Promise<void>;
};

// bigint ids stay inside JavaScript's safe range (design, "Data rules").
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** @param maxConnections of the general pool; batches have a few of their own */
export function openDatabase(
  connection: pg.PoolConfig,
  options: {
    maxConnections?: number;
    /** One that was idle; another takes its place when it is needed. */
    onError(error: Error): void;
    /** The one that listens, and with it most likely the database. Once, until it is back. */
    onLost?(error: Error): void;
    onBack?(): void;
  },
): Database {
  const { maxConnections = 10 } = options;
  let closing = false;
  // Connections that end because everything does are no news.
  const onError = (error: Error) => {
    if (!closing) options.onError(error);
  };
  const common = {
    application_name: 'parley',
    idleTimeoutMillis: 30_000,
    // A process whose machine vanished in a transaction must not hold its locks for hours.
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: 10_000,
    // One that only listens would not notice that a firewall has dropped it.
    keepAlive: true,
  };
  const configOf = (settings?: Settings) => ({ ...common, ...withSettings(connection, settings) });
  const pools: pg.Pool[] = [];
  const openPool = (max: number, settings?: Settings) => {
    const opened = new pg.Pool({ ...configOf(settings), max });
    opened.on('error', onError);
    // One that is lost in use says so to its user; unheard besides, it would end the process.
    opened.on('connect', (client) => client.on('error', () => {}));
    pools.push(opened);
    return opened;
  };
  const pool = openPool(maxConnections);
  const batched = openPool(6, {
    enable_seqscan: 'off',
    enable_hashjoin: 'off',
    enable_mergejoin: 'off',
    plan_cache_mode: 'force_generic_plan',
  });
  const notifications = createNotifications(() => new pg.Client(configOf()), {
    lost: (error) => options.onLost?.(error),
    back: () => options.onBack?.(),
  });

  return {
    pool,
    batched,
    query: (statement) => pool.query(statement),
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('begin');
        const result = await work(client);
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch((lost: Error) => {
          broken = lost;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    schemaPool: (schema) => openPool(4, { search_path: schema }),
    isLost: notifications.isLost,
    listen: notifications.listen,
    usage() {
      const sum = (of: (each: pg.Pool) => number) =>
        pools.reduce((total, each) => total + of(each), 0);
      const idle = sum((each) => each.idleCount);
      return {
        busy: sum((each) => each.totalCount) - idle,
        idle,
        waiting: sum((each) => each.waitingCount),
      };
    },
    hold: notifications.hold,
    async close() {
      closing = true;
      await notifications.close();
      await Promise.all(pools.map((each) => each.end()));
    },
  };
}

type Settings = Record<string, string>;

/**
 * What statements and the reading of their rows rely on. A server, a database or a user may have been
 * given others for good reasons of its own.
 */
const reliedOn: Settings = {
  datestyle: 'ISO',
  timezone: 'UTC',
  default_transaction_isolation: 'read\\ committed',
  // The pools end what idles, and one that listens does nothing else.
  idle_session_timeout: '0',
  // Where scans are switched off, one that cannot be helped counts as so dear before PostgreSQL 18 that
  // the statement is compiled first, for half a second.
  jit: 'off',
};

/** Ours come after the options of the address, so that they hold; the driver would know one of the two. */
function withSettings(connection: pg.PoolConfig, settings: Settings = {}): pg.PoolConfig {
  const ours = Object.entries({ ...reliedOn, ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const { connectionString } = connection;
  if (!connectionString) return { ...connection, options: ours };
  const [address, query] = connectionString.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('options', `${parameters.get('options') ?? ''} ${ours}`);
  return { ...connection, connectionString: `${address}?${parameters}` };
}
