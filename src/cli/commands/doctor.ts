import { access, constants, mkdir, statfs } from 'node:fs/promises';
import type { Command } from 'commander';
import { type Config, publicUrl, readConfig, unknownSettings } from '../../config.ts';
import { canKeepFiles } from '../../media/kept/media-folders.ts';
import { createStorage } from '../../media/storage/storage.ts';
import { tryPlace } from '../../media/storage/try-place.ts';
import { listToCheck } from '../../numbers/checking/queries.ts';
import { verifyNumber } from '../../numbers/checking/verify-number.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import { listNumberProblems } from '../../numbers/queries.ts';
import { openServices } from '../../open-services.ts';
import { MasterKeyProblem } from '../../platform/secrets/master-key.ts';
import { loadTls } from '../../platform/tls/load-tls.ts';
import { tenantIdOffset } from '../../platform/values/cell.ts';
import type { Services } from '../../services.ts';
import { listTenants } from '../../tenants/queries.ts';
import { tlsOptionsOf } from '../../tls-options.ts';
import { describeQuota } from '../../webhooks/quota/present-quota.ts';
import { quotaOf } from '../../webhooks/quota/quota.ts';
import { listFullQuotas } from '../../webhooks/quota/quota-queries.ts';
import { errorLine, print } from '../command.ts';
import { openSecretsOf } from '../open-secrets-of.ts';

/** PostgreSQL's WAL alone uses files of 16 MB, several at once. */
const minFreeMb = 100;

/** The maximum of tenants listed by name, because every tenant may have a problem. */
const maxListed = 5;

/** Each takes several calls of the network. Further numbers are checked daily while the service runs. */
const maxCheckedNumbers = 20;

type Check = {
  name: string;
  ok: boolean;
  found: string;
  fix?: string;
  /** A problem that the tenants must fix; the installation itself is sound. */
  ofTenants?: true;
};

export function doctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'Check settings, database, master key, numbers, webhooks, TLS and network; say how to fix problems.',
    )
    .option('--json', 'print one JSON object and nothing else')
    .action(async ({ json }: { json?: boolean }) => {
      // A check without a problem has nothing to fix.
      const checks = (await examine()).map(({ fix, ...check }) =>
        check.ok ? check : { ...check, fix },
      );
      const ok = checks.every((check) => check.ok || check.ofTenants);
      const text = checks
        .map((check) => {
          const fix = 'fix' in check ? `\n         ${check.fix}` : '';
          const sign = check.ok ? 'ok  ' : check.ofTenants ? 'note' : 'FAIL';
          return `${sign}  ${check.name.padEnd(10)} ${check.found}${fix}`;
        })
        .join('\n');
      print({ json: { ok, checks }, text }, json);
      if (!ok) process.exitCode = 1;
    });
}

async function examine(): Promise<Check[]> {
  const { config, ...settings } = checkSettings();
  if (!config) return [settings];
  const data = await checkDataDir(config);
  const cell = config.cell ? [describeCell(config)] : [];
  // All other checks need the data folder.
  if (!data.ok && !config.databaseUrl) return [settings, ...cell, data];
  return [
    settings,
    ...cell,
    data,
    ...(await checkDatabase(config)),
    ...(config.mediaBucket ? [await checkBucket(config)] : []),
    await checkTls(config),
    await checkNetwork(config),
  ];
}

function checkSettings(): Check & { config?: Config } {
  const name = 'settings';
  const unknown = unknownSettings().map((variable) => `${variable} is not a setting of Parley.`);
  const fix = 'See .env.example for every setting.';
  try {
    const config = readConfig(process.env, { logLevel: 'silent' });
    const ok = unknown.length === 0;
    return { name, ok, found: ok ? 'all valid' : unknown.join(' '), fix, config };
  } catch (error) {
    return { name, ok: false, found: [errorLine(error), ...unknown].join(' '), fix };
  }
}

/** Shows the ids of a cell, so that an operator can compare them with those of the other cells. */
function describeCell({ cell }: Config): Check {
  const found = `${cell}: new URLs contain "${cell}-", new tenants have ids above ${tenantIdOffset(cell)}`;
  return { name: 'cell', ok: true, found };
}

async function checkDataDir({ dataDir, databaseUrl }: Config): Promise<Check> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
    const { bavail, bsize } = await statfs(dataDir);
    const freeMb = Math.floor((bavail * bsize) / 2 ** 20);
    if (databaseUrl || freeMb >= minFreeMb) return { name: 'data', ok: true, found: dataDir };
    return {
      name: 'data',
      ok: false,
      found: `${dataDir}: its disk has ${freeMb} MB left`,
      fix: 'Free some space, which the embedded database needs to write.',
    };
  } catch (error) {
    const fix =
      'Run this as the owner of the folder, or set PARLEY_DATA_DIR to one that this user can write.';
    return { name: 'data', ok: false, found: errorLine(error), fix };
  }
}

async function checkDatabase(config: Config): Promise<Check[]> {
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

/** Puts a small file into the bucket, reads a part of it, and removes it. */
async function checkBucket(config: Config): Promise<Check> {
  const name = 'bucket';
  const storage = createStorage(config);
  try {
    await tryPlace(await storage.bucket(), await storage.incoming.make());
    return { name, ok: true, found: config.mediaBucket };
  } catch (error) {
    return {
      name,
      ok: false,
      found: `${config.mediaBucket}: ${errorLine(error)}`,
      fix: 'Check PARLEY_MEDIA_BUCKET, its region, and that its access key may get, put and delete objects.',
    };
  } finally {
    await storage.close();
  }
}

async function checkTls(config: Config): Promise<Check> {
  try {
    const { authorityPath, doubts } = await loadTls(tlsOptionsOf(config));
    if (doubts.length > 0) {
      const fix = 'Renew the certificate, or use one for the host that clients call.';
      return { name: 'tls', ok: false, found: doubts.join(' '), fix };
    }
    return { name: 'tls', ok: true, found: describeCertificate(config, authorityPath) };
  } catch (error) {
    return {
      name: 'tls',
      ok: false,
      found: errorLine(error),
      fix: config.tlsCert
        ? 'Check PARLEY_TLS_CERT and PARLEY_TLS_KEY.'
        : 'Allow this user to write the folder `tls` in the data folder, and its files.',
    };
  }
}

function describeCertificate(config: Config, authorityPath: string | undefined): string {
  if (!authorityPath) return `certificate of ${config.tlsCert}`;
  const trust = `own certificate; clients must trust ${authorityPath}`;
  const proxies = config.trustedProxies.join(', ');
  return proxies
    ? `clients of ${publicUrl(config)} see the certificate of the proxy (PARLEY_TRUSTED_PROXIES: ${proxies}), which is not checked here. Without the proxy: ${trust}`
    : trust;
}

/**
 * Any response will do: without a token the network responds with an error, which proves that it can be
 * reached.
 */
async function checkNetwork({ networkUrl, networkVersion }: Config): Promise<Check> {
  try {
    const signal = AbortSignal.timeout(5_000);
    const { status } = await fetch(`${networkUrl}/${networkVersion}/`, { signal });
    return { name: 'network', ok: true, found: `${networkUrl} responds (HTTP ${status})` };
  } catch (error) {
    const fix =
      'Check the connection to the internet, or PARLEY_NETWORK_URL. Simulated numbers work without it.';
    // The error of `fetch` itself has no reason.
    const reason = errorLine((error as Error).cause ?? error);
    return { name: 'network', ok: false, found: `${networkUrl}: ${reason}`, fix };
  }
}
