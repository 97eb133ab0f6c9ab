import type { Config } from '../../config.ts';
import { canKeepFiles } from '../../media/kept/media-folders.ts';
import { listToCheck } from '../../numbers/checking/queries.ts';
import { verifyNumber } from '../../numbers/checking/verify-number.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import { listEndingTokens, listNumberProblems } from '../../numbers/state/problem-queries.ts';
import { listAllUnconnected } from '../../numbers/state/unconnected-numbers.ts';
import { openServices } from '../../open-services.ts';
import { findChangedOrder } from '../../platform/connections/check-database.ts';
import { findClockOffset } from '../../platform/database/clock-offset.ts';
import { isTimedOut } from '../../platform/database/failures/error-codes.ts';
import { SchemaTooOld } from '../../platform/migrating/migrate.ts';
import { countOtherKeys } from '../../platform/secrets/keys-in-use.ts';
import { MasterKeyProblem } from '../../platform/secrets/master-key.ts';
import type { Services } from '../../services.ts';
import { listTenants } from '../../tenants/queries.ts';
import { listSwitchedOff } from '../../webhooks/queries.ts';
import { describeQuota } from '../../webhooks/quota/present-quota.ts';
import { quotaOf } from '../../webhooks/quota/quota.ts';
import { listFullQuotas } from '../../webhooks/quota/quota-queries.ts';
import { errorLine } from '../command.ts';
import { openSecretsOf } from '../open-secrets-of.ts';
import { countOutdated } from '../reseal-secrets.ts';
import type { Check } from './check.ts';

/** The maximum of problems that are listed, because every tenant may have some. */
const maxListed = 5;

/** Each takes several calls of the network. Further numbers are checked daily while the service runs. */
const maxCheckedNumbers = 20;

/** As for the alert `ParleyClockDiffers`. */
const maxClockOffsetSeconds = 30;

/** After this time, further numbers are not checked, so that a slow network does not hold up the other checks. */
const maxCheckingMs = 30_000;

/**
 * Checks the database, and all that is known from it: the master key, numbers, webhooks and kept files. Changes no
 * schema, and waits for no migration.
 *
 * @param statementTimeoutMs how long the database may take for a statement. A check that takes longer fails, and the
 *   others go on
 */
export async function* checkDatabase(
  config: Config,
  statementTimeoutMs: number,
): AsyncGenerator<Check> {
  const which = config.databaseUrl ? 'DATABASE_URL' : 'embedded';
  let opened: Awaited<ReturnType<typeof openServices>>;
  try {
    opened = await openServices(config, { migrates: false, statementTimeoutMs });
  } catch (error) {
    yield describeFailure(error, config);
    return;
  }
  const { services, close } = opened;
  try {
    yield await withReason('database', () => describeDatabase(services, which));
    yield await withReason('clock', () => checkClock(services));
    const masterKey = await withReason('master key', () => checkMasterKey(services));
    yield masterKey;
    yield await withReason('numbers', () =>
      checkNumbers(services, masterKey.ok || masterKey.mayBeIntended === true),
    );
    yield await withReason('webhooks', () => checkWebhooks(services));
    yield await withReason('files', () => checkMediaFolder(services));
  } finally {
    await close();
  }
}

function describeFailure(error: unknown, { databaseUrl, migrateAtStart }: Config): Check {
  if (error instanceof MasterKeyProblem) return wrongMasterKey(error.message);
  if (isTimedOut(error)) return tooSlow('database');
  const found = `${databaseUrl ? 'DATABASE_URL' : 'embedded'}: ${errorLine(error)}`;
  const fix =
    error instanceof SchemaTooOld
      ? migrateAtStart
        ? 'A service that starts does this too. If it waits, its log says for what.'
        : 'Until then, no service starts (PARLEY_MIGRATE_AT_START=no). Those that run go on.'
      : databaseUrl
        ? 'Check that the server runs, and the user, password and database in DATABASE_URL; see docs/operating.md.'
        : 'See the log of the embedded database in the data folder.';
  return { name: 'database', ok: false, found, fix };
}

/** Makes a failed check of an error, so that the other checks go on. */
async function withReason(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    if (isTimedOut(error)) return tooSlow(name);
    const fix = 'See the log of the service and of the database.';
    return { name, ok: false, found: errorLine(error), fix };
  }
}

function tooSlow(name: string): Check {
  return {
    name,
    ok: false,
    found: 'the database takes too long to say this',
    fix: 'See which statements it works on, and which wait for locks: "The database" in docs/alerts.md.',
  };
}

async function describeDatabase({ db }: Services, which: string): Promise<Check> {
  const { rows } = await db.pool.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  const changed = await findChangedOrder(db.pool);
  if (changed) return { name: 'database', ok: false, ...changed };
  const found = `${which}, PostgreSQL ${rows[0]!.version}, schema up to date`;
  return { name: 'database', ok: true, found };
}

/** Signatures of webhooks and codes of a second factor depend on it. */
async function checkClock({ db, clock }: Services): Promise<Check> {
  const seconds = await findClockOffset(db, clock);
  const side = seconds > 0 ? 'ahead of' : 'behind';
  return {
    name: 'clock',
    ok: Math.abs(seconds) <= maxClockOffsetSeconds,
    found: `${Math.abs(seconds).toFixed(1)} s ${side} that of the database`,
    fix: 'Let NTP set the clocks of all machines: `timedatectl` shows whether it does.',
  };
}

/** A database that was restored without its key looks fine until a secret is needed. */
async function checkMasterKey(services: Services): Promise<Check> {
  let opened = 0;
  try {
    for (const tenant of await listTenants(services.db)) {
      opened += await openSecretsOf(services, tenant.id);
    }
    const found =
      opened > 0
        ? `decrypts the secrets in the database (numbers, webhooks and stores: ${opened})`
        : 'no secrets yet';
    if (services.vault.keyCount === 1) return { name: 'master key', ok: true, found };
    const { outdated } = await countOutdated(services);
    const others = await countOtherKeys(services);
    return {
      name: 'master key',
      ok: false,
      mayBeIntended: true,
      found: `${found}. It is being changed: values that need the second key: ${outdated}, processes with other keys or in another order: ${others}`,
      fix: 'Go on with the steps of "Change the master key" in docs/operating.md.',
    };
  } catch (error) {
    if (isTimedOut(error)) throw error;
    return wrongMasterKey('cannot decrypt the secrets in the database');
  }
}

/** Checks numbers again, and lists those that do not work, with their tenants. */
async function checkNumbers(services: Services, canDecrypt: boolean): Promise<Check> {
  const { db, config } = services;
  const finder = createNumberFinder(services);
  const due = canDecrypt ? await listToCheck(db, maxCheckedNumbers) : [];
  const endsAt = performance.now() + maxCheckingMs;
  for (const { tenant_id: tenantId, id } of due) {
    const checks = await verifyNumber(services, finder, { tenantId, id });
    // A network that does not respond has its own check.
    if (checks?.some(({ name }) => name === 'network') || performance.now() > endsAt) break;
  }
  const problems = await listNumberProblems(db, config.silenceMinutes);
  const ending = await listEndingTokens(db);
  const unconnected = await listAllUnconnected(db);
  const lines = [
    ...problems.map(({ tenant, phone, problem }) => `${tenant}, ${phone}: ${problem}`),
    ...ending.map((row) => `${row.tenant}, ${row.phone}: The access token ends on ${row.ends_on}.`),
    ...unconnected.map(
      ({ tenant, phone, reports, since }) =>
        `${tenant}, ${phone}: WhatsApp reports to Parley about this number, which is not connected: messages and statuses that are lost since ${since}: ${reports}.`,
    ),
  ];
  return {
    name: 'numbers',
    ofTenants: true,
    ok: lines.length === 0,
    found: listFirst(lines) || 'no known problems',
    fix: '`parley number verify` says what to do for each, and sets up callbacks. Connect a number that is not connected, or have it reported to the program that serves it; see docs/connect-a-number.md.',
  };
}

/** Lists the webhooks that are switched off after failures, and those whose quota is full. */
async function checkWebhooks({ db, config }: Services): Promise<Check> {
  const off = await listSwitchedOff(db);
  const full = await listFullQuotas(db);
  const quota = quotaOf(config);
  const named = ({ tenant, endpoint }: { tenant: string; endpoint: string }) =>
    endpoint === 'default' ? tenant : `${tenant} (${endpoint})`;
  const problems = [
    ...off.map(
      (row) => `${named(row)}: off since ${row.off_since.toISOString()}. ${row.off_reason}`,
    ),
    ...full.map((row) => `${named(row)}: ${describeQuota(row, quota) ?? ''}`),
  ];
  return {
    name: 'webhooks',
    ofTenants: true,
    ok: problems.length === 0,
    found: listFirst(problems) || 'none is switched off after failures, and no quota is full',
    fix: 'Their receivers fail or are too slow: see `parley webhook deliveries`, and the quotas in docs/operating.md. `parley webhook set` switches one on again.',
  };
}

/** Joins the first problems of tenants, and counts the others. */
function listFirst(problems: string[]): string {
  const others = problems.length - maxListed;
  const more = others > 0 ? [`${others} more have problems.`] : [];
  return [...problems.slice(0, maxListed), ...more].join(' ');
}

/** Compares the folder for received files with those of the processes. A bucket has its own check. */
async function checkMediaFolder(services: Services): Promise<Check> {
  const { db, config } = services;
  const keep = (await listTenants(db)).some(({ keep_files_days: days }) => days > 0);
  const ok = !keep || (await canKeepFiles(services));
  const where = config.mediaBucket ? 'the bucket' : `${config.dataDir}/media`;
  return {
    name: 'files',
    ok,
    found: !keep
      ? 'no tenant keeps received files'
      : ok
        ? `kept in ${where}`
        : `${where} is not the folder of all processes, so received files are not kept`,
    fix: 'Use the settings of the service for this command. Let all machines share the folder, or set PARLEY_MEDIA_BUCKET; see "Received files" in docs/operating.md.',
  };
}

function wrongMasterKey(found: string): Check {
  return {
    name: 'master key',
    ok: false,
    found,
    fix: 'Restore the key that the database was used with: PARLEY_MASTER_KEY, or `master-key` in the data folder, which this user must be able to read.',
  };
}
