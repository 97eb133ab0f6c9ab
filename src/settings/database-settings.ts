import * as parse from './parse-setting.ts';
import { maxWaitMs, setting } from './setting.ts';

export const databaseSettings = {
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'PostgreSQL 15 or newer to use instead of the embedded one.',
    parse.postgresUrl,
  ),
  databaseConnections: setting(
    'PARLEY_DATABASE_CONNECTIONS',
    '10',
    'Maximum connections of one process for writes and background work. Reads of the API and reads of the dashboard may use as many each, and batched statements a few.',
    parse.wholeNumber(1, 1_000),
  ),
  apiReadTimeoutMs: setting(
    'PARLEY_API_READ_TIMEOUT_MS',
    '20000',
    'How long a statement of an API request that only reads may take, in milliseconds.',
    parse.wholeNumber(1, maxWaitMs),
  ),
  dashboardReadTimeoutMs: setting(
    'PARLEY_DASHBOARD_READ_TIMEOUT_MS',
    '10000',
    'How long a statement of a page of the dashboard may take, in milliseconds.',
    parse.wholeNumber(1, maxWaitMs),
  ),
  migrateAtStart: setting(
    'PARLEY_MIGRATE_AT_START',
    'yes',
    'Whether processes and commands apply pending migrations when they start. With no, they refuse an older schema, and `parley migrate` applies them.',
    parse.yesOrNo,
  ),
  databaseWaitSeconds: setting(
    'PARLEY_DATABASE_WAIT_SECONDS',
    '60',
    'How long `parley serve` waits at its start for a database that does not respond or is a standby, in seconds; 0 does not wait.',
    parse.wholeNumber(0, 86_400),
  ),
};
