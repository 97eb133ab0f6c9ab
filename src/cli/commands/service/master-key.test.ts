import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { holdLocks, lockWaiters } from '../../../../test/database/locks.ts';
import { cheapPasswords } from '../../../../test/features/cheap-passwords.ts';
import { cookieOf, post, signIn, totp } from '../../../../test/features/sign-in.ts';
import {
  fixture,
  post as postAsStore,
  testStore,
  wooHeaders,
} from '../../../../test/features/stores.ts';
import { call, databaseSettings, type TestApp, testApp } from '../../../../test/program/app.ts';
import { spawnParley } from '../../../../test/program/bin-parley.ts';
import { testCommand } from '../../../../test/program/command.ts';
import { onThePhone } from '../../../../test/servers/phone.ts';
import { startReceiver } from '../../../../test/servers/receiver.ts';
import { buildApp } from '../../../app.ts';
import { listEntries } from '../../../audit/queries.ts';
import { masterKeyLockClass, schemaLockClass } from '../../../platform/database/advisory-locks.ts';
import { schemaVersion } from '../../../platform/migrating/schema-version.ts';
import { createVault } from '../../../platform/secrets/crypto.ts';
import { showKeys } from '../../../platform/secrets/keys-in-use.ts';
import { formatMasterKeys, parseMasterKeys } from '../../../platform/secrets/master-key.ts';
import { createServices } from '../../../services.ts';
import { startDelivering } from '../../../webhooks/delivering/start-delivering.ts';
import { addEndpoint } from '../../../webhooks/endpoints/add-endpoint.ts';
import { recordEvents } from '../../../webhooks/record-events.ts';
import { secretContext } from '../../../webhooks/secrets/secret.ts';
import { setWebhook } from '../../../webhooks/set-webhook.ts';
import { openSecretsOf, refuseOtherKey } from '../../open-secrets-of.ts';
import { masterKeyCommands } from './master-key.ts';

cheapPasswords();
const app = testApp();
const { run, parley } = testCommand(app, masterKeyCommands);
const newKey = randomBytes(32);
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let dataDir: string;

beforeAll(async () => {
  receiver = await startReceiver();
  dataDir = await mkdtemp(join(tmpdir(), 'parley-keys-'));
});
afterEach(() => app.db.pool.query('delete from tenants; delete from auth."user"'));
afterAll(async () => {
  await receiver.close();
  await rm(dataDir, { recursive: true });
});

/** Another process of the service, with these master keys. */
async function processWith(...masterKeys: Buffer[]): Promise<TestApp> {
  const { config, clock, log, simulatorUrl } = app.services;
  const given = { config, clock, log, db: app.db, masterKeys };
  const services = createServices({ ...given, simulatorUrl: simulatorUrl! });
  const api = await buildApp(services);
  onTestFinished(async () => {
    await api.close();
    await services.network.close();
    await services.outbound.close();
    await services.files.close();
    await services.storage.close();
  });
  return { ...app, app: api, services };
}

/** Makes the change one of yesterday. */
const letDayPass = () => app.db.pool.query("update audit_entries set at = at - interval '1 day'");

test('the key is changed step by step while processes of two steps serve', async () => {
  const oldKey = app.masterKey;
  const shop = await app.tenant();
  const authorization = `Bearer ${shop.token}`;
  const api = (
    process: TestApp,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => call(process, method, `/api/${shop.slug}${path}`, body, { authorization, ...headers });
  const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };
  const send = (process: TestApp, key: string, body = text) =>
    api(process, 'POST', '/messages/send', body, { 'idempotency-key': key });

  // Made while there is only the old key.
  const headers = [{ name: 'x-gateway', value: 'let me in' }];
  const hook = await setWebhook(app.services, shop.id, { url: `${receiver.url}/hook`, headers });
  const store = await testStore(app, shop);
  const owner = await signIn(app, shop);
  const { password } = owner;
  const enabled = await post(app, '/auth/two-factor/enable', { password }, owner.cookie);
  const factor = enabled.body.data;
  const code = { code: totp(factor.totpURI) };
  const confirmed = await post(app, '/auth/two-factor/verify-totp', code, owner.cookie);
  const cookie = cookieOf(confirmed);
  const sent = await send(app, 'order-1');
  const log = await api(app, 'GET', '/events?limit=1');

  const knowing = await processWith(oldKey, newKey);
  const switched = await processWith(newKey, oldKey);
  const signInOn = async (process: TestApp, path: string, code: string) => {
    const half = await post(process, '/auth/sign-in/email', owner);
    return post(process, `/auth/two-factor/${path}`, { code }, cookieOf(half));
  };
  // Every process can read what any other stores.
  const first = { 'order-2': switched, 'order-3': knowing };
  for (const [key, process] of Object.entries(first)) {
    expect((await send(process, key)).status).toBe(200);
  }
  await addEndpoint(switched.services, shop.id, { name: 'CRM', url: `${receiver.url}/crm` });
  for (const process of [knowing, switched]) {
    expect(await openSecretsOf(process.services, shop.id)).toBe(4);
    for (const key of ['order-1', 'order-2', 'order-3']) {
      const again = await send(process, key);
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
      expect((await send(process, key, { ...text, message: 'Bye' })).status).toBe(422);
    }
    const after = log.body.pagination.next;
    expect((await api(process, 'GET', `/events?after=${after}`)).status).toBe(200);
    const session = await call(process, 'GET', '/auth/session', undefined, { cookie });
    expect(session.body.data).toMatchObject({ email: owner.email });
  }
  expect((await send(switched, 'order-1')).body).toEqual(sent.body);
  const signedIn = await signInOn(switched, 'verify-totp', totp(factor.totpURI));
  expect(signedIn.status).toBe(200);
  expect((await signInOn(knowing, 'verify-backup-code', factor.backupCodes[0])).status).toBe(200);

  const giveCommands = (...keys: Buffer[]) =>
    vi.stubEnv('PARLEY_MASTER_KEY', keys.map((key) => key.toString('base64')).join());
  giveCommands(newKey, oldKey);
  await expect(run('finish')).rejects.toThrow(/need the second key.*master-key change/);
  // A process that does not show its keys knows one, or is of the step before.
  const end = await app.db.lockForLife(schemaLockClass, schemaVersion);
  await expect(run('change')).rejects.toThrow(/other master keys.*: 1\. Restart/);
  await showKeys(knowing.services);
  await expect(run('change')).rejects.toThrow('in another order');
  const stopShowing = await showKeys(switched.services);
  expect(await parley('change')).toMatchObject({ left: 0, unreadable: 0 });
  expect(await parley('change')).toEqual({ encrypted: 0, left: 0, unreadable: 0 });
  const entries = await listEntries(app.db, shop.id, {}, { limit: 100 });
  expect(entries.filter(({ action }) => action === 'tenant.reencrypted')).toMatchObject([
    { actor_kind: 'operator' },
  ]);
  await expect(run('finish')).rejects.toThrow(/^Run this from .* Idempotency-Key/);
  await letDayPass();
  await stopShowing();
  await expect(run('finish')).rejects.toThrow('in another order');
  await end();
  expect(await run('finish')).toMatch(/None needs the second key.*\n.*second key from PARLEY_/);

  // With the new key alone.
  const last = await processWith(newKey);
  await refuseOtherKey(last.services);
  await expect(refuseOtherKey((await processWith(oldKey)).services)).rejects.toThrow(
    'does not decrypt',
  );
  expect(await openSecretsOf(last.services, shop.id)).toBe(4);
  expect((await send(last, 'order-4')).status).toBe(200);
  expect((await send(last, 'order-2')).headers['idempotency-replayed']).toBe('true');
  // Refused rather than sent twice: its fingerprint needs the old key.
  expect((await send(last, 'order-1')).status).toBe(422);
  expect(await onThePhone(app, shop)).toHaveLength(4);
  const body = fixture('woocommerce-order.json');
  const posted = await postAsStore(last, store, body, wooHeaders('order.created', body));
  expect(posted.status).toBe(200);
  const again = await call(last, 'GET', '/auth/session', undefined, {
    cookie: cookieOf(signedIn),
  });
  expect(again.body.data).toMatchObject({ email: owner.email });
  expect((await signInOn(last, 'verify-backup-code', factor.backupCodes[1])).status).toBe(200);
  await recordEvents(app.db, shop.id, [{ type: 'contact.created', data: { id: 1 } }]);
  const stop = startDelivering(last.services);
  onTestFinished(stop);
  const delivered = await eventually(async () =>
    receiver.received.find(({ path }) => path === '/hook'),
  );
  expect(delivered.headers['x-gateway']).toBe('let me in');
  const signed = `${delivered.headers['webhook-id']}.${delivered.headers['webhook-timestamp']}.${delivered.raw}`;
  const key = Buffer.from(hook.secret.replace('whsec_', ''), 'base64');
  expect(delivered.headers['webhook-signature']).toBe(
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
});

test('steps in the wrong order are refused, with the step that is missing', async () => {
  const { id } = await app.tenant();
  await setWebhook(app.services, id, { url: receiver.url });
  const keys = [app.masterKey, newKey].map((key) => key.toString('base64'));
  vi.stubEnv('PARLEY_MASTER_KEY', keys.join());
  await expect(run('finish')).rejects.toThrow(/`parley master-key change` first/);
  await expect(run('change')).rejects.toThrow('put the new one first');
});

test('a key in the data folder is changed while Parley is stopped; a killed command goes on, and later values stay', async () => {
  const path = join(dataDir, 'master-key');
  await writeFile(path, `${app.masterKey.toString('base64')}\n`, { mode: 0o600 });
  const settings = { ...databaseSettings(app), PARLEY_MASTER_KEY: '', PARLEY_DATA_DIR: dataDir };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const keysOf = async () => parseMasterKeys(await readFile(path, 'utf8'))!;
  const { id } = await app.tenant();
  await setWebhook(app.services, id, { url: receiver.url });
  const secretOf = async (...keys: Buffer[]) => {
    const { rows } = await app.db.pool.query(
      'select id, secret from webhooks where tenant_id = $1',
      [id],
    );
    const context = secretContext({ tenantId: id, webhookId: rows[0].id });
    return createVault(...keys).open(rows[0].secret, context);
  };
  const replaceBy = async (value: string) => {
    const { rows } = await app.db.pool.query('select id from webhooks where tenant_id = $1', [id]);
    const context = secretContext({ tenantId: id, webhookId: rows[0].id });
    return holdLocks(app, 'update webhooks set secret = $2 where tenant_id = $1', [
      id,
      app.services.vault.seal(value, context),
    ]);
  };

  const stop = await app.db.lockForLife(schemaLockClass, schemaVersion);
  await expect(run('change')).rejects.toThrow('Stop it first');
  expect(await keysOf()).toEqual([app.masterKey]);
  await stop();

  // Killed while it waits for a request that stores a new secret.
  const request = await replaceBy('whsec_later');
  const command = spawnParley(['master-key', 'change'], { ...process.env, ...settings });
  await lockWaiters(app, { like: 'update webhooks%' });
  command.kill('SIGKILL');
  await once(command, 'exit');
  await request.query('commit');
  const [generated, ...others] = await keysOf();
  expect(others).toEqual([app.masterKey]);
  expect(await secretOf(generated!, app.masterKey)).toBe('whsec_later');

  // The next one goes on with the same key. A value that was stored after it was read is left for another run.
  const another = await replaceBy('whsec_latest');
  const changing = run('change').catch((error: Error) => error.message);
  await lockWaiters(app, { like: 'update webhooks%' });
  await another.query('commit');
  expect(await changing).toMatch('Run the command again');
  await expect(run('finish')).rejects.toThrow('1 need the second key');
  expect(await parley('change')).toEqual({ encrypted: 1, left: 0, unreadable: 0 });
  expect(await keysOf()).toEqual([generated, app.masterKey]);
  await letDayPass();
  expect(await run('finish')).toContain(`Removed the second key from ${path}`);
  expect(await keysOf()).toEqual([generated]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await secretOf(generated!)).toBe('whsec_latest');
  await expect(run('finish')).rejects.toThrow('only one master key');

  // Otherwise two commands that run at once would each generate a key, and the file would have only one of them.
  const other = await holdLocks(app, 'select pg_advisory_xact_lock($1, 0)', [masterKeyLockClass]);
  const second = run('change');
  await lockWaiters(app, { lock: 'advisory' });
  await writeFile(path, formatMasterKeys([newKey, generated!]));
  await other.query('commit');
  expect(await second).toContain('Encrypted 3 values');
  expect(await keysOf()).toEqual([newKey, generated]);

  // As if there had been no secret to encrypt again.
  await app.db.pool.query('delete from audit_entries');
  expect(await run('finish')).toContain('Removed');
});
