import type { Command } from 'commander';
import { type Config, publicUrl, readConfig, unknownSettings } from '../../../config.ts';
import { createStorage } from '../../../media/storage/storage.ts';
import { tryPlace } from '../../../media/storage/try-place.ts';
import { loadTls } from '../../../platform/tls/load-tls.ts';
import { tenantIdOffset } from '../../../platform/values/cell.ts';
import { tlsOptionsOf } from '../../../tls-options.ts';
import { errorLine, print } from '../../command.ts';
import type { Check } from '../../doctor/check.ts';
import { checkDataDir } from '../../doctor/check-data-dir.ts';
import { checkDatabase } from '../../doctor/check-database.ts';
import { checkService } from '../../doctor/check-service.ts';
import { findMissing } from '../../find-missing.ts';

/** The time that the database may take for a statement. */
const defaultStatementTimeoutMs = 10_000;

export function doctorCommand(
  program: Command,
  statementTimeoutMs = defaultStatementTimeoutMs,
): void {
  program
    .command('doctor')
    .description(
      'Check settings, data folder, service, database, clock, master key, numbers, webhooks, kept files, TLS and network; say how to fix problems.',
    )
    .option('--json', 'print one JSON object and nothing else')
    .action(async ({ json }: { json?: boolean }) => {
      const checks: Check[] = [];
      for await (const { fix, ...found } of examine(statementTimeoutMs)) {
        // A check without a problem has nothing to fix.
        const check: Check = found.ok || fix === undefined ? found : { ...found, fix };
        checks.push(check);
        // Each at once: a later one may take long.
        if (!json) print({ json: check, text: lineOf(check) }, false);
      }
      const ok = checks.every((check) => check.ok || isNote(check));
      if (json) print({ json: { ok, checks }, text: '' }, true);
      if (!ok) process.exitCode = 1;
    });
}

/** Whether the installation itself is sound in spite of a problem. */
function isNote({ ofTenants, mayBeIntended }: Check): boolean {
  return Boolean(ofTenants || mayBeIntended);
}

function lineOf(check: Check): string {
  const { name, ok, found, fix } = check;
  const sign = ok ? 'ok  ' : isNote(check) ? 'note' : 'FAIL';
  return `${sign}  ${name.padEnd(10)} ${found}${fix === undefined ? '' : `\n         ${fix}`}`;
}

async function* examine(statementTimeoutMs: number): AsyncGenerator<Check> {
  const { config, ...settings } = checkSettings();
  yield settings;
  if (!config) return;
  if (config.cell) yield describeCell(config);
  // Other checks would create it.
  const missing = await findMissing(config);
  if (missing) {
    const fix = `${missing.fix} In a new installation, start the service first.`;
    yield { ...missing, ok: false, fix };
    return;
  }
  const data = await checkDataDir(config);
  yield data;
  // All other checks need the data folder.
  if (!data.ok && !config.databaseUrl) return;
  if (config.roles.includes('api')) yield await checkService(config);
  yield* checkDatabase(config, statementTimeoutMs);
  if (config.mediaBucket) yield await checkBucket(config);
  yield await checkTls(config);
  yield await checkNetwork(config);
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
  const ownFix = 'Allow this user to write the folder `tls` in the data folder, and its files.';
  try {
    const { authorityPath, doubts } = await loadTls(tlsOptionsOf(config));
    if (doubts.length > 0) {
      const fix = config.tlsCert
        ? 'Renew the certificate, or use one for the host that clients call.'
        : `Check the clock of this machine. ${ownFix}`;
      return { name: 'tls', ok: false, found: doubts.join(' '), fix };
    }
    return { name: 'tls', ok: true, found: describeCertificate(config, authorityPath) };
  } catch (error) {
    return {
      name: 'tls',
      ok: false,
      found: errorLine(error),
      fix: config.tlsCert ? 'Check PARLEY_TLS_CERT and PARLEY_TLS_KEY.' : ownFix,
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
 * Without a token the network responds with an error, which proves that it can be reached, and a header names the
 * version of its API. Calls to a version that has ended get the oldest one that has not
 * (https://developers.facebook.com/docs/apps/versions).
 */
async function checkNetwork({ networkUrl, networkVersion }: Config): Promise<Check> {
  try {
    const signal = AbortSignal.timeout(5_000);
    const { status, headers } = await fetch(`${networkUrl}/${networkVersion}/`, { signal });
    const version = headers.get('facebook-api-version') ?? networkVersion;
    if (version !== networkVersion) {
      const found = `${networkUrl} responds in ${version} of its API, not in ${networkVersion}`;
      const fix =
        'Upgrade Parley. Without a newer one, set PARLEY_NETWORK_VERSION; see "Versions of the Graph API" in docs/operating.md.';
      return { name: 'network', ok: false, found, fix };
    }
    return { name: 'network', ok: true, found: `${networkUrl} responds (HTTP ${status})` };
  } catch (error) {
    const fix =
      'Check the connection to the internet, or PARLEY_NETWORK_URL. Simulated numbers work without it.';
    // The error of `fetch` itself has no reason.
    const reason = errorLine((error as Error).cause ?? error);
    return { name: 'network', ok: false, found: `${networkUrl}: ${reason}`, fix };
  }
}
