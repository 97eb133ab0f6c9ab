import type { Config } from '../../config.ts';
import { canKeepFiles } from '../../media/kept/media-folders.ts';
import { listToCheck } from '../../numbers/checking/queries.ts';
import { verifyNumber } from '../../numbers/checking/verify-number.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import { listNumberProblems } from '../../numbers/problem-queries.ts';
import { openServices } from '../../open-services.ts';
import { findChangedOrder } from '../../platform/database/check-database.ts';
import { MasterKeyProblem } from '../../platform/secrets/master-key.ts';
import type { Services } from '../../services.ts';
import { listTenants } from '../../tenants/queries.ts';
import { describeQuota } from '../../webhooks/quota/present-quota.ts';
import { quotaOf } from '../../webhooks/quota/quota.ts';
import { listFullQuotas } from '../../webhooks/quota/quota-queries.ts';
import { errorLine } from '../command.ts';
import { openSecretsOf } from '../open-secrets-of.ts';
import type { Check } from './check.ts';

/** The maximum of tenants listed by name, because every tenant may have a problem. */
const maxListed = 5;

/** Each takes several calls of the network. Further numbers are checked daily while the service runs. */
const maxCheckedNumbers = 20;

/** Checks the database, and all that is known from it: the master key, numbers, webhooks and kept files. */
export async function checkDatabase(config: Config): Promise<Check[]> {
  const which = config.databaseUrl ? 'DATABASE_URL' : 'embedded';
  try {
    const { services, close } = await openServices(config);
    try {
      const masterKey = await checkMasterKey(services);
      return [
        await describeDatabase(services, which),
        masterKey,
        await checkNumbers(services, masterKey.ok),
        await checkWebhooks(services),
        await checkMediaFolder(services),
      ];
    } finally {
      await close();
    }
  } catch (error) {
    if (error instanceof MasterKeyProblem) return [wrongMasterKey(error.message)];
    const fix = config.databaseUrl
      ? 'Check that the server runs, and the user, password and database in DATABASE_URL; see docs/operating.md.'
      : 'See the log of the embedded database in the data folder.';
    return [{ name: 'database', ok: false, found: `${which}: ${errorLine(error)}`, fix }];
  }
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
    return { name: 'master key', ok: true, found };
  } catch {
    return wrongMasterKey('cannot decrypt the secrets in the database');
  }
}

/** Checks numbers again, and lists those that do not work, with their tenants. */
async function checkNumbers(services: Services, canDecrypt: boolean): Promise<Check> {
  const { db, config } = services;
  const finder = createNumberFinder(services);
  const due = canDecrypt ? await listToCheck(db, maxCheckedNumbers) : [];
  for (const { tenant_id: tenantId, id } of due) {
    const checks = await verifyNumber(services, finder, { tenantId, id });
    // A network that does not respond has its own check.
    if (checks?.some(({ name }) => name === 'network')) break;
  }
  const problems = await listNumberProblems(db, config.silenceMinutes);
  const lines = problems
    .slice(0, maxListed)
    .map(({ tenant, phone, problem }) => `${tenant}, ${phone}: ${problem}`);
  const others = problems.length - lines.length;
  if (others > 0) lines.push(`${others} more have problems.`);
  return {
    name: 'numbers',
    ofTenants: true,
    ok: problems.length === 0,
    found: lines.join(' ') || 'no known problems',
    fix: '`parley number verify` says what to do for each, and sets up callbacks; see docs/connect-a-number.md.',
  };
}

/** Lists the webhooks whose quota of deliveries is full. */
async function checkWebhooks({ db, config }: Services): Promise<Check> {
  const full = await listFullQuotas(db);
  const quota = quotaOf(config);
  const named = ({ endpoint }: { endpoint: string }) =>
    endpoint === 'default' ? '' : ` (${endpoint})`;
  const lines = full
    .slice(0, maxListed)
    .map((row) => `${row.tenant}${named(row)}: ${describeQuota(row, quota) ?? ''}`);
  const others = full.length - lines.length;
  if (others > 0) lines.push(`${others} more quotas are full.`);
  return {
    name: 'webhooks',
    ofTenants: true,
    ok: full.length === 0,
    found: lines.join(' ') || 'no quota is full',
    fix: 'Their receivers fail or are too slow: see `parley webhook deliveries`, and the quotas in docs/operating.md.',
  };
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
