import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { holdLocks } from '../../../../test/database/locks.ts';
import { makeScratchFolder } from '../../../../test/database/scratch.ts';
import { testApp } from '../../../../test/program/app.ts';
import { testCommand } from '../../../../test/program/command.ts';
import { freePort } from '../../../../test/program/start-service.ts';
import { control } from '../../../../test/servers/control.ts';
import { connectNumber } from '../../../numbers/connecting/connect-number.ts';
import { openNumberSecrets } from '../../../numbers/find-number.ts';
import { setNumberProblem } from '../../../numbers/state/problem-queries.ts';
import { countUnconnected } from '../../../numbers/state/unconnected-numbers.ts';
import { migrationLock, schemaLockClass } from '../../../platform/database/advisory-locks.ts';
import { fault } from '../../../platform/errors/fault.ts';
import { schemaVersion } from '../../../platform/migrating/schema-version.ts';
import { createVault } from '../../../platform/secrets/crypto.ts';
import { issueCertificate } from '../../../platform/tls/issue-certificate.ts';
import { loadTls } from '../../../platform/tls/load-tls.ts';
import { serveApi } from '../../../serve-api.ts';
import { createStore } from '../../../stores/setup/create-store.ts';
import { syncTemplates } from '../../../templates/syncing/sync-templates.ts';
import { updateTenant } from '../../../tenants/queries.ts';
import { defaultEndpoint } from '../../../webhooks/endpoint-key.ts';
import { addEndpoint } from '../../../webhooks/endpoints/add-endpoint.ts';
import { rotateSecret } from '../../../webhooks/secrets/rotate-secret.ts';
import { setWebhook } from '../../../webhooks/set-webhook.ts';
import type { Check } from '../../doctor/check.ts';
import { describeRoom } from '../../doctor/check-data-dir.ts';
import { isKeyOfDatabase, refuseOtherKey } from '../../open-secrets-of.ts';
import { storeCommands } from '../stores/store.ts';
import { webhookCommands } from '../webhooks/webhook.ts';
import { doctorCommand } from './doctor.ts';

const app = testApp();
let dataDir: string;
// Before the command reads its settings.
beforeAll(async () => {
  dataDir = await makeScratchFolder('parley-doctor-');
});
const { run } = testCommand(app, doctorCommand, () => ({
  PARLEY_DATA_DIR: dataDir,
  PARLEY_NETWORK_URL: app.simulator.url,
}));

const hasty = testCommand(app, (program) => doctorCommand(program, 500));
const webhook = testCommand(app, webhookCommands);
const stores = testCommand(app, storeCommands);

afterEach(async () => {
  // The exit status of doctor is not that of the tests.
  process.exitCode = undefined;
  await app.db.pool.query('delete from tenants');
});
afterAll(() => rm(dataDir, { recursive: true }));

type Report = {
  ok: boolean;
  checks: Check[];
};

/** Runs doctor with these additional settings. */
async function examine(settings: Record<string, string> = {}): Promise<Report> {
  return JSON.parse(await withSettings(settings, () => run('--json')));
}

async function withSettings<Result>(
  settings: Record<string, string>,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = Object.keys(settings).map((name) => [name, process.env[name]] as const);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  try {
    return await work();
  } finally {
    for (const [name, value] of before) vi.stubEnv(name, value);
  }
}

const check = ({ checks }: Report, name: string) => checks.find((each) => each.name === name);
const anotherKey = { PARLEY_MASTER_KEY: Buffer.alloc(32, 'another').toString('base64') };

test('a folder without a database is reported, and stays as it is', async () => {
  const empty = await makeScratchFolder('parley-doctor-');
  const elsewhere = { PARLEY_DATA_DIR: empty, DATABASE_URL: '' };
  const report = await examine(elsewhere);
  expect(report.ok).toBe(false);
  expect(check(report, 'database')).toMatchObject({
    ok: false,
    found: `There is no database in ${empty}.`,
    fix: expect.stringContaining('PARLEY_DATA_DIR'),
  });
  expect(await readdir(empty)).toEqual([]);
  await rm(empty, { recursive: true });
});

test('a sound installation passes, with nothing to fix', async () => {
  const { config } = app.services;
  const services = { ...app.services, config: { ...config, host: '127.0.0.1', port: 0 } };
  const service = await serveApi(services, await loadTls({ dataDir, names: [] }));
  const settings = { PARLEY_PORT: String(service.port) };
  const report = await examine(settings);
  await service.close();
  expect(report.ok).toBe(true);
  for (const each of report.checks) expect(each).not.toHaveProperty('fix');
  // As during a restore.
  const stopped = await examine(settings);
  expect(stopped.ok).toBe(true);
  expect(check(stopped, 'service')).toMatchObject({
    ok: false,
    found: expect.stringContaining('ECONNREFUSED'),
    fix: expect.stringContaining('journalctl -u parley'),
  });
});

test('a webhook that was switched off is listed with its reason', async () => {
  const { id, slug } = await app.tenant({ number: false });
  await setWebhook(app.services, id, { url: 'http://127.0.0.1:9/events' });
  await app.db.pool.query(
    `update webhooks set off_since = '2026-11-27T02:00Z', off_reason = 'The receiver answered 410.'`,
  );
  expect(check(await examine(), 'webhooks')).toMatchObject({
    ok: false,
    found: `${slug}: off since 2026-11-27T02:00:00.000Z. The receiver answered 410.`,
    fix: expect.stringContaining('parley webhook set'),
  });
});

test('a migration that runs or waits is not waited for', async () => {
  const holder = await holdLocks(app, 'select pg_advisory_xact_lock($1)', [migrationLock]);
  expect((await examine()).ok).toBe(true);
  await holder.query('rollback');
});

test('a schema that is too old is reported, and stays as it is', async () => {
  const { rows } = await app.db.pool.query(
    'delete from migrations where name = (select max(name) from migrations) returning *',
  );
  onTestFinished(async () => {
    const { name, checksum } = rows[0];
    await app.db.pool.query('insert into migrations values ($1, $2)', [name, checksum]);
  });
  expect(check(await examine(), 'database')).toMatchObject({
    ok: false,
    found: expect.stringMatching(`${rows[0].name} did not run. Run .parley migrate`),
    fix: expect.stringContaining('If it waits, its log says for what'),
  });
  const never = await examine({ PARLEY_MIGRATE_AT_START: 'no' });
  expect(check(never, 'database')).toMatchObject({
    fix: expect.stringContaining('Until then, no service starts'),
  });
});

test('a check that waits for a lock fails, and the others are still made', async () => {
  await app.tenant();
  const holder = await holdLocks(app, 'lock table numbers');
  const { checks } = JSON.parse(await hasty.run('--json'));
  await holder.query('rollback');
  const tooSlow = {
    ok: false,
    found: 'the database takes too long to say this',
    fix: expect.stringContaining('docs/alerts.md'),
  };
  for (const name of ['master key', 'numbers']) {
    expect(check({ ok: false, checks }, name)).toMatchObject(tooSlow);
  }
  expect(checks.at(-1)).toMatchObject({ name: 'network', ok: true });
});

test('a database whose sort order has changed under its indexes is reported, with what to do', async () => {
  // Only an administrator may pretend this.
  const administrator = new pg.Client({ ...app.connection, user: 'postgres' });
  await administrator.connect();
  const setVersion = (version: string) =>
    administrator.query(
      `update pg_database set datcollversion = ${version} where datname = current_database()`,
    );
  await setVersion(`'another'`);
  onTestFinished(async () => {
    await setVersion('pg_database_collation_actual_version(oid)');
    await administrator.end();
  });
  const database = check(await examine(), 'database');
  expect(database).toMatchObject({
    ok: false,
    found: expect.stringContaining('sorts text differently'),
    fix: expect.stringMatching(
      /reindex database \S+; alter database \S+ refresh collation version/,
    ),
  });
});

test('a clock that differs from that of the database fails', async () => {
  expect(check(await examine(), 'clock')).toMatchObject({ ok: true });
  vi.useFakeTimers({ now: Date.now() - 120_000, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(check(await examine(), 'clock')).toMatchObject({
    ok: false,
    found: expect.stringMatching(/^1\d\d\.\d s behind that of the database$/),
    fix: expect.stringContaining('timedatectl'),
  });
});

test('the name of a cell is shown with its prefix of URLs and the ids of its tenants', async () => {
  expect(check(await examine(), 'cell')).toBeUndefined();
  const named = check(await examine({ PARLEY_CELL: 'eu1' }), 'cell');
  expect(named).toMatchObject({ ok: true, found: expect.stringContaining('eu1-') });
  expect(named!.found).toContain('76900000000');
});

test.each([
  ['a number', () => app.tenant()],
  [
    'a webhook',
    async () => {
      const { id } = await app.tenant({ number: false });
      return setWebhook(app.services, id, { url: 'http://127.0.0.1:9/events' });
    },
  ],
  [
    'a store with a secret',
    async () => {
      const { id } = await app.tenant({ number: false });
      return createStore(app.services, id, { platform: 'shopify', name: 'Shop' });
    },
  ],
  [
    'a store with authentication and no secret',
    async () => {
      const { id } = await app.tenant({ number: false });
      const authentication = { type: 'header', name: 'X-Shop', value: 'let me in' } as const;
      const store = { platform: 'custom', name: 'Shop', secret: null, authentication };
      return createStore(app.services, id, store);
    },
  ],
])('a wrong master key is detected by %s', async (_what, make) => {
  await make();
  expect(check(await examine(), 'master key')).toMatchObject({
    ok: true,
    found: expect.stringContaining('numbers, webhooks and stores: 1'),
  });
  expect(await isKeyOfDatabase(app.services)).toBe(true);
  const wrong = await examine(anotherKey);
  expect(check(wrong, 'master key')).toMatchObject({
    ok: false,
    found: 'cannot decrypt the secrets in the database',
  });
  expect(process.exitCode).toBe(1);
  const vault = createVault(Buffer.from(anotherKey.PARLEY_MASTER_KEY, 'base64'));
  expect(await isKeyOfDatabase({ ...app.services, vault })).toBe(false);
});

test('while the master key is changed, the values that need the second key and the other processes are counted', async () => {
  const { id } = await app.tenant();
  await setWebhook(app.services, id, { url: 'http://127.0.0.1:9/events' });
  const keys = [anotherKey.PARLEY_MASTER_KEY, app.masterKey.toString('base64')];
  const end = await app.db.lockForLife(schemaLockClass, schemaVersion);
  const report = await examine({ PARLEY_MASTER_KEY: keys.join() });
  await end();
  expect(check(report, 'master key')).toMatchObject({
    ok: false,
    mayBeIntended: true,
    found: expect.stringContaining('numbers, webhooks and stores: 2'),
    fix: expect.stringContaining('Change the master key'),
  });
  expect(check(report, 'master key')!.found).toContain(
    'values that need the second key: 3, processes',
  );
  expect(check(report, 'master key')!.found).toMatch(/in another order: 1$/);
  expect(check(report, 'numbers')).toMatchObject({ ok: true });
  expect(report.ok).toBe(true);
});

test('after the loss of the master key, everything is set again, and the service starts without the setting', async () => {
  const { id, slug, number } = await app.tenant();
  const url = 'http://127.0.0.1:9/events';
  const headers = [{ name: 'x-gateway', value: 'let me in' }];
  await setWebhook(app.services, id, { url, headers });
  await addEndpoint(app.services, id, { name: 'CRM', url, headers });
  await rotateSecret(app.services, { tenantId: id, webhookId: defaultEndpoint });
  const { store } = await createStore(app.services, id, { platform: 'shopify', name: 'Shop' });
  const vault = createVault(Buffer.from(anotherKey.PARLEY_MASTER_KEY, 'base64'));
  const withNewKey = { ...app.services, vault };
  const lost = { ...withNewKey, config: { ...app.services.config, masterKeyLost: true } };
  await expect(refuseOtherKey(withNewKey)).rejects.toThrow('does not decrypt');
  await refuseOtherKey(lost);

  const environment = { ...anotherKey, PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };
  await withSettings(environment, async () => {
    // A command with a wrong key does not replace the secrets.
    await expect(webhook.run('set', slug, '--url', url)).rejects.toThrow('with another master key');
  });
  await withSettings({ ...environment, PARLEY_MASTER_KEY_LOST: 'yes' }, async () => {
    const { webhooks } = await webhook.parley('list', slug);
    expect(webhooks).toMatchObject([{ header_names: [] }, { header_names: [] }]);
    expect(await webhook.parley('set', slug, '--url', url)).toMatchObject({
      secret: expect.stringContaining('whsec_'),
      previous_secret_until: null,
    });
    expect(await webhook.run('rotate-secret', slug, '--endpoint', 'CRM')).toMatch(
      /previous secret cannot be decrypted.*\n.*headers cannot be decrypted/,
    );
    await stores.run('set-keys', slug, String(store.id));
  });
  await connectNumber(lost, id, {
    phoneNumberId: number.phone_number_id,
    businessAccountId: number.business_account_id,
    displayPhoneNumber: number.display_phone_number ?? undefined,
    ...openNumberSecrets(app.services.vault, number)!,
  });
  await refuseOtherKey(withNewKey);
});

test('numbers that cannot send are listed as problems of their tenants; the installation is sound', async () => {
  const { id, slug, number } = await app.tenant();
  expect(check(await examine(), 'numbers')).toMatchObject({ ok: true });
  await setNumberProblem(
    app.db,
    id,
    number.id,
    fault('for_a_test', 'The access token has expired.'),
  );
  const report = await examine();
  expect(report.ok).toBe(true);
  expect(check(report, 'numbers')).toMatchObject({
    ok: false,
    found: `${slug}, ${number.display_phone_number}: The access token has expired.`,
  });
  expect(await run()).toContain(`note  numbers    ${slug}, `);
  expect(process.exitCode).toBeUndefined();
});

test('a number whose access token ends soon is listed with the day', async () => {
  const { slug, number } = await app.tenant();
  const { phone_number_id } = number;
  const expiresAt = new Date(Date.now() + 10 * 86_400_000);
  const token = { expires_at: Math.floor(expiresAt.getTime() / 1_000) };
  await control(app, 'POST', '/simulator/numbers', { phone_number_id, token });
  expect(check(await examine(), 'numbers')).toMatchObject({
    ok: false,
    found: `${slug}, ${number.display_phone_number}: The access token ends on ${expiresAt.toISOString().slice(0, 10)}.`,
  });
});

test('a number that nobody connected, and whose messages are lost, is listed with its tenant', async () => {
  const { id, slug } = await app.tenant();
  const report = { phoneNumberId: '404404404', displayPhoneNumber: '+14155550144', reports: 3 };
  await countUnconnected(app.db, id, [report]);
  expect(check(await examine(), 'numbers')).toMatchObject({
    ok: false,
    found: expect.stringMatching(
      RegExp(`^${slug}, \\+14155550144: .*not connected: .* lost since [\\d-]{10}: 3\\.$`),
    ),
  });
});

test('a folder for received files that processes do not share is reported if a tenant keeps files', async () => {
  await app.db.pool.query('insert into media_folders (id) values (gen_random_uuid())');
  const { id } = await app.tenant({ number: false });
  expect(check(await examine(), 'files')).toMatchObject({ ok: true });
  await updateTenant(app.db, id, { keep_files_days: 30 });
  expect(check(await examine(), 'files')).toMatchObject({
    ok: false,
    found: expect.stringContaining(`${dataDir}/media`),
    fix: expect.stringContaining('PARLEY_MEDIA_BUCKET'),
  });
  await app.db.pool.query('delete from media_folders');
  expect(check(await examine(), 'files')).toMatchObject({ ok: true });
});

test('a secret that needs another master key is reported as such', async () => {
  const { id } = await app.tenant();
  const vault = createVault(Buffer.from(anotherKey.PARLEY_MASTER_KEY, 'base64'));
  const syncing = syncTemplates({ ...app.services, vault }, id);
  await expect(syncing).rejects.toThrow('it was encrypted with another master key');
});

test('a master key file that cannot be used is reported', async () => {
  const path = join(dataDir, 'master-key');
  await writeFile(path, 'cut');
  const { checks } = await examine({ PARLEY_MASTER_KEY: '' });
  await rm(path);
  const failed = checks.filter(({ name, ok }) => !ok && name !== 'service');
  expect(failed).toMatchObject([
    { name: 'master key', found: `${path} does not hold a key of 32 bytes.` },
  ]);
});

test('if the data folder cannot be used, only that is reported', async () => {
  const { checks } = await examine({
    PARLEY_DATA_DIR: join(fileURLToPath(import.meta.url), 'data'),
    DATABASE_URL: '',
  });
  expect(checks.filter(({ ok }) => !ok)).toMatchObject([
    { name: 'data', found: expect.stringContaining('ENOTDIR') },
  ]);
});

test('the free space of the data folder is shown, and fails below the limit of its alert', async () => {
  expect(check(await examine(), 'data')!.found).toMatch(/^\S+, \d+\.\d GB free$/);
  expect(describeRoom('/data', 9.4e8)).toMatchObject({ ok: false, found: '/data, 0.9 GB free' });
  expect(describeRoom('/data', 1e9)).toMatchObject({ ok: true, found: '/data, 1.0 GB free' });
});

test('a certificate that clients will refuse fails, with every reason', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const name = { CN: 'old.example', OU: 'test' };
  const issue = (from: string, to: string) =>
    issueCertificate({
      subject: name,
      key: createPrivateKey(pem),
      issuer: name,
      issuerKey: createPrivateKey(pem),
      notBefore: new Date(from),
      notAfter: new Date(to),
      names: ['old.example'],
    });
  const settings = {
    PARLEY_TLS_CERT: join(dataDir, 'old.pem'),
    PARLEY_TLS_KEY: join(dataDir, 'old-key.pem'),
  };
  await writeFile(settings.PARLEY_TLS_KEY, pem);

  await writeFile(settings.PARLEY_TLS_CERT, issue('2020-01-01', '2021-01-01'));
  const old = await examine({ ...settings, PARLEY_BASE_URL: 'https://new.example' });
  expect(check(old, 'tls')).toMatchObject({
    ok: false,
    found: expect.stringMatching(/expired on Jan +1 .* 2021.*is not for new\.example/),
    fix: expect.stringMatching(/Renew/),
  });

  await writeFile(settings.PARLEY_TLS_CERT, issue('2020-01-01', '2040-01-01'));
  const sound = await examine({ ...settings, PARLEY_BASE_URL: 'https://old.example' });
  expect(check(sound, 'tls')).toMatchObject({ ok: true });
});

test('behind a proxy that ends TLS, the proxy’s certificate is reported as the one that clients see', async () => {
  expect(check(await examine(), 'tls')).toMatchObject({
    found: `own certificate; clients must trust ${join(dataDir, 'tls', 'authority.pem')}`,
  });
  const behind = await examine({
    PARLEY_TRUSTED_PROXIES: '10.0.0.0/8',
    PARLEY_BASE_URL: 'https://parley.example',
  });
  expect(check(behind, 'tls')).toMatchObject({
    ok: true,
    found: expect.stringMatching(
      /^clients of https:\/\/parley\.example see the certificate of the proxy .*10\.0\.0\.0\/8/,
    ),
  });
});

test('invalid and unknown settings are reported together', async () => {
  const { ok, checks } = await examine({ PARLEY_PORT: 'x', PARLEY_PROT: '1' });
  expect(ok).toBe(false);
  expect(checks).toEqual([
    {
      name: 'settings',
      ok: false,
      found: expect.stringMatching(/PARLEY_PORT must be a port.*PARLEY_PROT is not a setting/),
      fix: expect.stringMatching(/\.env\.example/),
    },
  ]);
});

test('a network that responds in another version of its API fails', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(400, { 'facebook-api-version': 'v27.0' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { PARLEY_NETWORK_URL: url, PARLEY_NETWORK_VERSION: 'v25.0' };
  const network = check(await examine(settings), 'network');
  server.close();
  expect(network).toMatchObject({
    ok: false,
    found: `${url} responds in v27.0 of its API, not in v25.0`,
    fix: expect.stringContaining('PARLEY_NETWORK_VERSION'),
  });
});

test('an unreachable network fails with the reason', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  expect(check(await examine({ PARLEY_NETWORK_URL: url }), 'network')).toMatchObject({
    ok: false,
    found: `${url}: connect ECONNREFUSED ${url.slice('http://'.length)}`,
  });
});
