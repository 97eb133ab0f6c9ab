import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { createTestDatabase } from '../../../../test/database/database.ts';
import { fillTenant } from '../../../../test/features/fill-tenant.ts';
import { keepFile, readKeptFiles } from '../../../../test/features/keep-file.ts';
import { rowsOfTenant } from '../../../../test/features/rows-of-tenant.ts';
import { openSession, sameOrigin, signIn } from '../../../../test/features/sign-in.ts';
import {
  call,
  databaseSettings,
  openTestApp,
  type TestApp,
  testApp,
} from '../../../../test/program/app.ts';
import { testCommand } from '../../../../test/program/command.ts';
import { type Access, fillInstallation } from '../../../../test/upgrades/fill-installation.ts';
import { readEverything } from '../../../../test/upgrades/read-everything.ts';
import { notOfTenants } from '../../../backup/format.ts';
import { describeTables } from '../../../backup/tables/describe-tables.ts';
import { plainBinaryColumns, sealedColumns } from '../../../backup/tables/sealed-columns.ts';
import { removeKeptFiles } from '../../../media/kept/remove-kept-files.ts';
import { rollUpMessages } from '../../../overview/roll-up-messages.ts';
import { type ArchivePart, readArchive } from '../../../platform/archive/read-archive.ts';
import { writeArchive } from '../../../platform/archive/write-archive.ts';
import { createTenant } from '../../../tenants/create-tenant.ts';
import { tenantCommands } from './tenant.ts';

const app = testApp();
const { run, parley } = testCommand(app, tenantCommands, () => settingsOf(app));
/** Another installation, with tenants of its own and another master key. */
const other = {} as TestApp;
let closeOther: () => Promise<void>;
let folder: string;
let keyFile: string;
let access: Access;

beforeAll(async () => {
  closeOther = await openTestApp(other, { database: await createTestDatabase() });
  // The id of the tenant is taken there, and the sequences stand elsewhere.
  const neighbour = await other.tenant();
  await neighbour.call('POST', '/contacts', { firstname: 'Grace', phone: '+14155550100' });
  folder = await mkdtemp(join(tmpdir(), 'parley-tenants-'));
  keyFile = join(folder, 'key');
  await writeFile(keyFile, 'correct horse battery staple\n');
  access = await fillInstallation(app);
});
afterAll(async () => {
  await closeOther();
  await rm(folder, { recursive: true });
});

function settingsOf(which: TestApp) {
  return { ...databaseSettings(which), PARLEY_DATA_DIR: which.services.config.dataDir };
}

/** Lets the commands use one of the installations. */
function use(which: TestApp) {
  for (const [name, value] of Object.entries(settingsOf(which))) vi.stubEnv(name, value);
}

/** Reads the rows of the tenant without those of a table, which an export and an import change. */
async function rowsBut(which: TestApp, table: string) {
  const { [table]: _, ...others } = await rowsOfTenant(which, access.slug);
  return others;
}

type Reader = (path: string) => Promise<unknown>;

/** Reads all that a token and a member can read, in the installation of `which`. */
async function readAll(which: TestApp): Promise<Record<string, unknown>> {
  const cookie = await openSession(which, access.email, access.password);
  const reader =
    (base: string, headers: Record<string, string>): Reader =>
    async (path) => {
      const { status, body } = await call(which, 'GET', `${base}${path}`, undefined, headers);
      expect(status, path).toBe(200);
      return withoutInstallation(body);
    };
  const api = reader(`/api/${access.slug}`, { authorization: `Bearer ${access.token}` });
  const dashboard = reader(`/dashboard-api/${access.slug}`, { ...sameOrigin, cookie });
  const found: Record<string, unknown> = {};
  for (const path of apiPaths) found[path] = await api(path);
  for (const path of dashboardPaths(access)) found[`dashboard ${path}`] = await dashboard(path);
  return found;
}

const apiPaths = [
  '/contacts',
  '/statuses',
  '/sources',
  '/groups',
  '/templates',
  '/messages',
  '/conversations',
  '/conversations/%2B14155550123/messages',
  '/events',
  '/message-bots',
  '/template-bots',
];
const dashboardPaths = ({ storeId }: Access) => [
  '/bots/answers',
  '/contacts/bulk',
  '/contacts/filtered',
  '/contacts/imports',
  '/conversations',
  '/members',
  '/numbers',
  '/stores',
  `/stores/${storeId}`,
  `/stores/${storeId}/events`,
  '/webhook',
  '/webhook/endpoints',
  '/webhook/deliveries',
  '/overview',
];

/** Cursors are signed with the key of an installation, its URLs have its own host, and sessions stay where they are. */
function withoutInstallation(body: object): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value) => {
      if (name === 'last_seen_at') return undefined;
      if (name === 'next' || name === 'after') return Boolean(value);
      return typeof value === 'string' ? value.replace(/^https?:\/\/[^/]+/, '') : value;
    }),
  );
}

test('a tenant reads the same in another installation, and can be used there', async () => {
  // Usage of earlier requests is still being added.
  let count = 0;
  const { path, source } = await eventually(async () => {
    const before = await rowsBut(app, 'audit_entries');
    const to = join(folder, `tenant-${count++}`);
    const file = await parley('export', access.slug, '--to', to, '--key-file', keyFile);
    const after = await rowsBut(app, 'audit_entries');
    return JSON.stringify(before) === JSON.stringify(after) && { ...file, source: before };
  });
  expect((await readFile(path)).includes(access.webhookSecret)).toBe(false);

  use(other);
  onTestFinished(() => use(app));
  const wrongKey = join(folder, 'wrong');
  await writeFile(wrongKey, 'something else');
  await expect(run('import', path, '--key-file', wrongKey)).rejects.toThrow('another key');
  await other.db.pool.query('update tenants set slug = $1', [access.slug]);
  const taken = run('import', path, '--key-file', keyFile);
  await expect(taken).rejects.toThrow('There is a tenant with this slug already.');
  await other.db.pool.query(`update tenants set slug = 'neighbour'`);
  const imported = await parley('import', path, '--key-file', keyFile, '--stopped');
  const files = { kept: 1, lost: 0 };
  expect(imported).toMatchObject({ tenant: access.slug, files, known_accounts: [], settled: null });
  expect(await rowsBut(other, 'audit_entries')).toEqual(source);
  const { audit_entries: entries } = await rowsOfTenant(other, access.slug);
  expect(entries).toContainEqual(expect.stringContaining('tenant.exported'));
  expect(entries).toContainEqual(expect.stringContaining('tenant.imported'));
  const again = run('import', path, '--key-file', keyFile, '--slug', 'again');
  await expect(again).rejects.toThrow('the tenant is here already');

  const expected = await readAll(app);
  expect(await readAll(other)).toEqual(expected);
  await eventually(async () => {
    await rollUpMessages(other.db, { settleMs: 0 });
    const { rows } = await other.db.pool.query(
      `select done_to >= (select max(id) from messages) as done from message_walks where name = 'outcomes'`,
    );
    return rows[0].done;
  });
  expect(await readAll(other)).toEqual(expected);

  const cookie = await openSession(other, access.email, access.password);
  await readEverything(other, { ...access, cookie });
  const [keptFile] = await readKeptFiles(other.services, access.slug);
  const media = await other.app.inject({
    url: `/api/${access.slug}/media/message-${keptFile?.id}`,
    headers: { authorization: `Bearer ${access.token}` },
  });
  expect([media.statusCode, media.body]).toEqual([200, 'Ring the bell twice.']);
});

test('a tenant that went on after its export does nothing twice, retries get their first responses, and members keep one account', async () => {
  const second = await app.tenant();
  await fillTenant(app, second);
  await app.db.pool.query(
    `insert into members (tenant_id, user_id, role)
     select ${second.id}, user_id, role from members where role = 'owner' limit 1`,
  );
  await app.db.pool.query(
    `update store_events set state = 'waiting', due_at = now() where tenant_id = ${second.id} and state = 'done'`,
  );
  await app.db.pool.query(
    `insert into messages (tenant_id, number_id, direction, person, kind, content)
     values (${second.id}, ${second.number.id}, 'out', '+14155550199', 'text', '{"text": "Hi"}')`,
  );
  const text = { type: 'text', phone_number: '+14155550155', message: 'Your order is on its way.' };
  const key = { 'idempotency-key': 'order-1043' };
  const sent = await second.call('POST', '/messages/send', text, key);
  await app.db.pool.query(
    `insert into idempotency_keys (tenant_id, token_id, run_id, created_at, held_until, key, fingerprint)
     select tenant_id, token_id, nextval('idempotency_runs'), now(), now(), 'in-progress', fingerprint
     from idempotency_keys where tenant_id = ${second.id} and key = 'order-1043'`,
  );
  const path = join(folder, 'second');
  const draining = run('export', second.slug, '--to', path, '--key-file', keyFile, '--drain', '0');
  await expect(draining).rejects.toThrow(/^The tenant still works: 1 sends, 10 store events/);
  await run('export', second.slug, '--to', path, '--key-file', keyFile);
  const exported = run('export', second.slug, '--to', path, '--key-file', keyFile);
  await expect(exported).rejects.toThrow('exists already');

  use(other);
  onTestFinished(() => use(app));
  const imported = await parley('import', path, '--key-file', keyFile, '--slug', 'second');
  expect(imported).toMatchObject({
    tenant: 'second',
    settled: { store_events: 10 },
  });
  const { rows } = await other.db.pool.query(
    `select (select count(*)::int from store_events where due_at is not null and tenant_id = $1) as due,
            (select status from message_states join messages on messages.tenant_id = $1 and id = message_id
             where message_states.tenant_id = $1 and person = '+14155550199') as status,
            (select count(*)::int from contacts where tenant_id = $1) as contacts`,
    [imported.id],
  );
  expect(rows).toEqual([{ due: 0, status: 'unknown', contacts: 130 }]);
  const countMessages = async () =>
    (await other.db.pool.query('select from messages where tenant_id = $1', [imported.id]))
      .rowCount;
  const before = await countMessages();
  const repeat = (body: object, headers: Record<string, string>) =>
    call(other, 'POST', '/api/second/messages/send', body, {
      authorization: `Bearer ${second.token}`,
      ...headers,
    });
  // Fingerprints do not fit here, because they depend on the master key.
  for (const body of [text, { ...text, message: 'Another text.' }]) {
    expect(await repeat(body, key)).toMatchObject({
      status: 200,
      headers: { 'idempotency-replayed': 'true' },
      body: sent.body,
    });
  }
  const unfinished = await repeat(text, { 'idempotency-key': 'in-progress' });
  expect(unfinished).toMatchObject({ status: 500, body: { code: 'outcome_unknown' } });
  expect(await countMessages()).toBe(before);

  // Nobody publishes them here.
  await other.db.pool.query('delete from event_outbox');
  const drained = join(folder, 'drained');
  await run('export', 'second', '--to', drained, '--key-file', keyFile, '--drain', '60');
  await run('delete', 'second', '--yes');
  const back = await parley('import', drained, '--key-file', keyFile, '--stopped');
  expect(back).toMatchObject({ tenant: 'second', known_accounts: [access.email], settled: null });
});

test('a tenant whose id the other installation will give next gets it, and a new tenant the one after it', async () => {
  // As in an installation that has no tenant yet.
  const next = 1_000;
  await app.db.pool.query(`select setval('tenants_id_seq', ${next}, false)`);
  const shop = await app.tenant();
  await other.db.pool.query(`select setval('tenants_id_seq', ${next}, false)`);
  const path = join(folder, 'first');
  const key = ['--key-file', keyFile];
  await run('export', shop.slug, '--to', path, ...key);
  use(other);
  onTestFinished(() => use(app));
  expect(await parley('import', path, ...key)).toMatchObject({ id: shop.id });
  const following = await createTenant(other.db, { slug: 'following', plan: 'pro', cell: '' });
  expect(following.id).toBe(shop.id + 1);
});

test('kept files are part of the file; a damaged or lost one is asked of the network, and a failed import leaves none behind', async () => {
  const shop = await app.tenant();
  const { dataDir } = app.services.config;
  const long = randomBytes(1_000_000);
  const ids: number[] = [];
  for (const content of ['one', 'lost', 'damaged', long, '']) {
    ids.push(await keepFile(app.services, shop, content));
  }
  const pathOf = (id: number) => join(dataDir, 'media', String(shop.id), `message-${id}`);
  await rm(pathOf(ids[1]!));
  await writeFile(pathOf(ids[2]!), 'demaged');
  const path = join(folder, 'with-files');
  const key = ['--key-file', keyFile];
  const { files } = await parley('export', shop.slug, '--to', path, ...key);
  expect(files).toEqual({ rows: 5, kept: 4, lost: 1 });
  const bare = join(folder, 'without-files');
  const without = await parley('export', shop.slug, '--to', bare, ...key, '--without-files');
  expect(without.files).toBe(null);

  use(other);
  onTestFinished(() => use(app));
  const inFolder = async () => {
    const names = await readdir(join(other.services.config.dataDir, 'media'), { recursive: true });
    return names.filter((name) => name.includes('message-'));
  };
  const before = await inFolder();
  // The import fails after its last file.
  await other.db.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'full'; end $$;
     create trigger refuse before insert on kept_file_totals execute function refuse()`,
  );
  await expect(run('import', path, ...key)).rejects.toThrow('full');
  expect(await inFolder()).toHaveLength(before.length + 3);
  await removeKeptFiles(other.services);
  expect(await inFolder()).toEqual(before);
  await other.db.pool.query('drop function refuse cascade');

  const imported = await parley('import', path, ...key, '--slug', 'with-files');
  expect(imported.files).toEqual({ kept: 3, lost: 1 });
  expect(await readKeptFiles(other.services, 'with-files')).toEqual([
    { id: ids[0], content: Buffer.from('one') },
    { id: ids[1], content: undefined },
    { id: ids[2], content: undefined },
    { id: ids[3], content: long },
    { id: ids[4], content: Buffer.alloc(0) },
  ]);
  const { rows } = await other.db.pool.query(
    `select files, bytes from kept_file_totals where tenant_id = $1`,
    [imported.id],
  );
  expect(rows).toEqual([{ files: 3, bytes: 1_000_003 }]);
});

test('a forged file is refused, as is one of another schema, and writes nothing of other tenants and accounts', async () => {
  const shop = await app.tenant();
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550123' });
  await signIn(app, shop);
  const path = join(folder, 'honest');
  const key = ['--key-file', keyFile];
  await run('export', shop.slug, '--to', path, ...key);
  use(other);
  onTestFinished(() => use(app));
  const secret = (await readFile(keyFile, 'utf8')).trim();
  const forge = async (name: string, change: (part: ArchivePart) => ArchivePart) => {
    const forged = join(folder, name);
    await writeArchive(forged, secret, async (archive) => {
      for await (const part of readArchive(path, secret)) {
        const changed = change(part);
        if ('data' in changed) await archive.data(changed.data);
        else await archive.record(changed.record);
      }
    });
    return forged;
  };
  const replaceTable = (record: object) => (part: ArchivePart) =>
    'record' in part && part.record.name === 'tokens' ? { record } : part;
  const statement = 'tokens (id, tenant_id, name, hash, hint, abilities) from stdin --';
  const tables = {
    name: { kind: 'table', name: statement, columns: [] },
    column: { kind: 'table', name: 'tokens', columns: ['id', 'hash) from stdin --'] },
    'table of all': { kind: 'table', name: 'tenants', columns: ['slug'] },
  };
  for (const [name, record] of Object.entries(tables)) {
    const forged = await forge(name, replaceTable(record));
    await expect(parley('import', forged, ...key), name).rejects.toThrow(
      'that this installation does not have',
    );
  }
  const later = { name: '9999_later.sql', checksum: 'x' };
  const others: [string, (known: object[]) => object[], RegExp][] = [
    ['newer', (known) => [...known, later], /9999_later\.sql .* Upgrade it to Parley 7\.0\.0, /],
    ['older', (known) => known.slice(0, -1), /Upgrade .* Parley 7\.0\.0, to Parley \d.* export /],
    ['branched', (known) => [...known.slice(0, -1), later], /9999_later\.sql, .* Upgrade both /],
  ];
  for (const [name, change, advice] of others) {
    const file = await forge(name, (part) => {
      if (!('record' in part) || part.record.kind !== 'tenant') return part;
      const migrations = change(part.record.migrations);
      return { record: { ...part.record, version: '7.0.0', migrations } };
    });
    await expect(parley('import', file, ...key), name).rejects.toThrow(advice);
  }
  // COPY also takes carriage returns between rows.
  const lines = await forge('lines', (part) =>
    'data' in part ? { data: Buffer.from(part.data.toString('latin1').replace(/\n/, '\r')) } : part,
  );
  await expect(parley('import', lines, ...key)).rejects.toThrow('carriage return');
  const sequences = await forge('sequences', (part) =>
    'record' in part && part.record.kind === 'end'
      ? { record: { ...part.record, sequences: [{ name: 'messages_id_seq', value: 2 ** 53 }] } }
      : part,
  );
  await expect(parley('import', sequences, ...key)).rejects.toThrow('messages_id_seq');

  const victim = await signIn(other, await other.tenant());
  const accounts = await forge('accounts', (part) => {
    if (!('record' in part) || part.record.kind !== 'tenant') return part;
    const [first] = part.record.accounts;
    const forged = { ...first.account[0], id: 'forged', userId: victim.userId };
    first.account.push(forged);
    return part;
  });
  await run('import', accounts, ...key);
  const { rows } = await other.db.pool.query(
    'select "userId" as user from auth.account where "userId" = $1',
    [victim.userId],
  );
  expect(rows).toHaveLength(1);
});

test('every table and every encrypted column has its place in the file', async () => {
  const ofTenants = await app.db.pool.query<{ name: string }>(`
    select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where attname = 'tenant_id' and relkind = 'r' and relnamespace = 'public'::regnamespace`);
  const known = [...ofTenants.rows.map(({ name }) => name), ...Object.keys(notOfTenants)];
  const tables = (await describeTables(app.db.pool)).map(({ name }) => name);
  expect(tables.filter((name) => !known.includes(name))).toEqual([]);

  const binary = await app.db.pool.query<{ name: string }>(`
    select attrelid::regclass || '.' || attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
    where atttypid = 'bytea'::regtype and attnum > 0 and relkind = 'r' and not attisdropped
      and relnamespace = 'public'::regnamespace and relname <> 'password_attempts' order by 1`);
  const classified = [
    ...sealedColumns.map(({ table, column }) => `${table}.${column}`),
    ...plainBinaryColumns,
  ];
  expect(binary.rows.map(({ name }) => name)).toEqual(classified.sort());
});
