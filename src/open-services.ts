import about from '../package.json' with { type: 'json' };
import type { Config } from './config.ts';
import { type CloseStep, closeInOrder } from './platform/concurrency/close-in-order.ts';
import { checkDatabase } from './platform/connections/check-database.ts';
import { waitForDatabase } from './platform/connections/wait-for-database.ts';
import { type Database, openDatabase } from './platform/database/database.ts';
import { ensurePostgres } from './platform/embedded-postgres/ensure-postgres.ts';
import { createLog, type Log } from './platform/log.ts';
import { checkSchema, migrate } from './platform/migrating/migrate.ts';
import type { OnWait } from './platform/migrating/migration-waits.ts';
import { loadMasterKeys } from './platform/secrets/master-key.ts';
import { openTracing } from './platform/tracing/open-tracing.ts';
import { createServices, type Services } from './services.ts';

/**
 * Opens what every process needs: the database, migrated to the newest schema, and the master key. The
 * database is that of `DATABASE_URL`, otherwise the embedded one, which is started if needed.
 *
 * @param options.waitMs how long to wait for a database that cannot be reached
 * @param options.migrates whether to apply pending migrations. Otherwise an older schema is refused
 * @param options.statementTimeoutMs how long a statement may take; by default, only those of reads have a limit
 * @param options.onMigrationWait gets the reason if a migration has to wait for some seconds, and may throw. By default, it
 *   is logged
 * @returns the services, the migrations that ran now, and `close`, which also stops the embedded database if no
 *   other process uses it
 */
export async function openServices(
  config: Config,
  {
    waitMs = 0,
    migrates = config.migrateAtStart,
    statementTimeoutMs,
    onMigrationWait,
  }: {
    waitMs?: number;
    migrates?: boolean;
    statementTimeoutMs?: number;
    onMigrationWait?: OnWait;
  } = {},
): Promise<{ services: Services; migrations: string[]; close(): Promise<void> }> {
  const log = createLog(config.logLevel);
  const masterKeys = await loadMasterKeys(config.dataDir, config.masterKeys);
  const tracing = await openTracing({
    url: config.tracesUrl,
    percent: config.tracesPercent,
    version: about.version,
  });
  const { db, steps } = await openDatabaseOf(config, log, { statementTimeoutMs });
  const services = createServices({ config, db, masterKeys, log, tracing });

  const close = () =>
    closeInOrder(
      [
        { name: 'network client', close: () => services.network.close() },
        { name: 'outbound HTTP', close: () => services.outbound.close() },
        { name: 'file downloads', close: () => services.files.close() },
        { name: 'storage of files', close: () => services.storage.close() },
        { name: 'traces', close: () => tracing.close() },
        ...steps,
      ],
      log,
    );

  try {
    const ran = await waitForDatabase(
      async () => {
        await checkDatabase(db.pool);
        if (!migrates) {
          await checkSchema(db.pool);
          return [];
        }
        const onWait = onMigrationWait ?? ((reason: string) => log.warn(reason));
        return migrate(db.pool, undefined, { onWait });
      },
      waitMs,
      (error) => warnOfWait(log, error),
    );
    if (ran.length > 0) log.info({ migrations: ran }, 'the database schema is up to date');
    return { services, migrations: ran, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export function warnOfWait(log: Log, { message }: Error): void {
  log.warn(`waiting for the database. ${message}`);
}

/**
 * Opens the database of the settings as it is, without a check. The embedded one is started if needed.
 *
 * @returns the database, and the steps that close it
 */
export async function openDatabaseOf(
  config: Config,
  log: Log,
  { statementTimeoutMs }: { statementTimeoutMs?: number | undefined } = {},
): Promise<{ db: Database; steps: CloseStep[] }> {
  const embedded = config.databaseUrl
    ? undefined
    : await ensurePostgres({
        dataDir: config.dataDir,
        log: { info: (text) => log.debug(text), warn: (text) => log.warn(text) },
      });
  const db = openDatabase(embedded?.connection ?? { connectionString: config.databaseUrl }, {
    maxConnections: config.databaseConnections,
    statementTimeoutMs,
    readTimeoutsMs: { api: config.apiReadTimeoutMs, dashboard: config.dashboardReadTimeoutMs },
    onError: (err) => log.debug({ err }, 'an idle database connection was lost'),
    onLost: (err) => log.warn({ err }, 'the connection to the database was lost'),
    onBack: () => log.warn('the connection to the database is back'),
  });
  return {
    db,
    steps: [
      { name: 'database connections', close: () => db.close() },
      { name: 'database', close: async () => embedded?.release(), withinMs: 10_000 },
    ],
  };
}
