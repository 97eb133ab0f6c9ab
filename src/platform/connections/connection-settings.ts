import type pg from 'pg';

export type Settings = Record<string, string>;

/** The settings of connections for batched statements: no scan or hash where an index can be used. */
export const batchedSettings: Settings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Without this, some plans sort the rows of a bitmap instead of reading an index in order.
  random_page_cost: '1',
  plan_cache_mode: 'force_generic_plan',
};

/**
 * Settings that our statements and the parsing of their rows rely on. A server, a database or a user may
 * have other defaults.
 */
const reliedOn: Settings = {
  datestyle: 'ISO',
  timezone: 'UTC',
  default_transaction_isolation: 'read\\ committed',
  // A backup, a restore or the build of an index may take hours. Reads have a limit of their own.
  statement_timeout: '0',
  lock_timeout: '0',
  // The pools close idle connections themselves, and the listening connection is always idle.
  idle_session_timeout: '0',
  // The server notices within half a minute that the machine of a process is gone, and releases its locks. The
  // kernel would take two hours.
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '4',
  // With scans switched off, an unavoidable scan counts as so expensive before PostgreSQL 18 that the
  // statement is compiled first, which takes half a second.
  jit: 'off',
  // Means nothing to PostgreSQL. `checkDatabase` sees by it whether these settings have arrived.
  'parley.settings': 'on',
};

/**
 * Adds settings to a connection. They come after the options in its address, so that they win; the driver keeps
 * only one of the two.
 */
export function withSettings(connection: pg.PoolConfig, settings: Settings = {}): pg.PoolConfig {
  const ours = Object.entries({ ...reliedOn, ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const { connectionString } = connection;
  if (!connectionString) return { ...connection, options: ours };
  const [address, query] = connectionString.split('?');
  const parameters = new URLSearchParams(query);
  // The caller's, which the driver would replace. Statements and docs/alerts.md know our transactions by it.
  parameters.delete('application_name');
  parameters.set('options', `${parameters.get('options') ?? ''} ${ours}`);
  return { ...connection, connectionString: `${address}?${parameters}` };
}

/**
 * Removes the time limit of transactions for the rest of a session. Only PostgreSQL 17 and newer have it, and older servers
 * would refuse a connection with this setting.
 */
export async function allowLongTransactions(client: pg.ClientBase): Promise<void> {
  await client.query(
    "select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'",
  );
}
