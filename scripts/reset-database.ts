import pg from 'pg';
import { readConfig } from '../src/config.ts';
import { ensurePostgres } from '../src/platform/embedded-postgres/ensure-postgres.ts';
import { migrate } from '../src/platform/migrating/migrate.ts';

/** Empties the configured database and creates the schema again. For development. */
const config = readConfig();
const embedded = config.databaseUrl ? undefined : await ensurePostgres({ dataDir: config.dataDir });
const pool = new pg.Pool(embedded?.connection ?? { connectionString: config.databaseUrl });
const { rows } = await pool.query<{ name: string }>(
  "select nspname as name from pg_namespace where nspname not like 'pg\\_%' and nspname <> 'information_schema'",
);
for (const { name } of rows) await pool.query(`drop schema ${pg.escapeIdentifier(name)} cascade`);
await pool.query('create schema public');
await migrate(pool);
await pool.end();
await embedded?.release();
process.stdout.write('The database is empty and has the newest schema.\n');
