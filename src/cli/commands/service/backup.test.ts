import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../../test/checks/eventually.ts';
import { copyCluster } from '../../../../test/database/copy-cluster.ts';
import { createTestDatabase } from '../../../../test/database/database.ts';
import {
  databaseSettings,
  openTestApp,
  type TestApp,
  testApp,
} from '../../../../test/program/app.ts';
import { shellParley } from '../../../../test/program/bin-parley.ts';
import { testCommand } from '../../../../test/program/command.ts';
import { createPlace } from '../../../../test/program/start-service.ts';
import { writeDump } from '../../../../test/upgrades/dump.ts';
import { type Access, fillInstallation } from '../../../../test/upgrades/fill-installation.ts';
import { backUp } from '../../../backup/back-up-database.ts';
import { notBackedUp } from '../../../backup/format.ts';
import { readConfig } from '../../../config.ts';
import { openServices } from '../../../open-services.ts';
import { readArchive } from '../../../platform/archive/read-archive.ts';
import { writeArchive } from '../../../platform/archive/write-archive.ts';
import { schemaLockClass } from '../../../platform/database/advisory-locks.ts';
import { migrate } from '../../../platform/migrating/migrate.ts';
import { startWorkers } from '../../../workers.ts';
import { backupCommand } from './backup.ts';
import { restoreCommand } from './restore.ts';

const app = testApp();
const backup = testCommand(app, backupCommand);
const restore = testCommand(app, restoreCommand);
let folder: string;
let keyFile: string;
let access: Access;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-backups-'));
  keyFile = join(folder, 'key');
  await writeFile(keyFile, 'correct horse battery staple\n');
  access = await fillInstallation(app);
  await leaveWaitingWork();
});
afterAll(() => rm(folder, { recursive: true }));

/** Work that sends messages, and a request with an Idempotency-Key whose process died. */
async function leaveWaitingWork() {
  await app.db.pool.query(`
    update bot_answers set state = 'waiting', due_at = now(), settled_at = null, message_id = null;
    update store_events set state = 'waiting', due_at = now(), processed_at = null;
    insert into idempotency_keys (tenant_id, token_id, run_id, created_at, held_until, key, fingerprint)
    select tenant_id, id, nextval('idempotency_runs'), now(), now(), 'in-progress', ''
    from tokens where not internal limit 1`);
}

type Database = Awaited<ReturnType<typeof createTestDatabase>>;

/** Creates an empty database, and lets the commands use it until the end of the test. */
async function emptyDatabase(dataDir = folder): Promise<Database> {
  const database = await createTestDatabase({ isEmpty: true });
  onTestFinished(() => database.drop());
  const { masterKey } = app;
  const settings = databaseSettings({ connection: database.connection, masterKey } as TestApp);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  vi.stubEnv('PARLEY_DATA_DIR', dataDir);
  onTestFinished(() => {
    for (const [name, value] of Object.entries(databaseSettings(app))) vi.stubEnv(name, value);
    vi.stubEnv('PARLEY_DATA_DIR', folder);
  });
  return database;
}

/** The rows of each table that a backup has, and the sequences. */
async function rowsOf(db: TestApp['db']): Promise<string> {
  const { text } = await writeDump(db.pool, { version: '', access });
  const isKept = (part: string) =>
    !Object.keys(notBackedUp).some((name) => part.startsWith(`insert into ${name} (`));
  return text.split('\n\n').filter(isKept).join('\n\n');
}

test('the connection of a backup may be idle for as long as the file takes', async () => {
  const clients: Awaited<ReturnType<typeof app.db.connect>>[] = [];
  const connect = async () => {
    const client = await app.db.connect();
    clients.push(client);
    await client.query(`set idle_in_transaction_session_timeout = '60 s'`);
    return client;
  };
  const seen: Promise<{ rows: { setting: string }[] }>[] = [];
  await backUp(
    { ...app.services, db: { ...app.db, connect } },
    {
      path: join(folder, 'idle.backup'),
      secret: undefined,
      masterKeys: undefined,
      onRows: () => {
        seen.push(
          clients[0]!.query(
            `select current_setting('idle_in_transaction_session_timeout') as setting`,
          ),
        );
      },
    },
  );
  const settings = (await Promise.all(seen)).map(({ rows }) => rows[0]!.setting);
  expect(new Set(settings)).toEqual(new Set(['0']));
});

const schema = `
  select indexdef as text from pg_indexes where schemaname in ('public', 'auth')
  union all
  select attrelid::regclass || attname || attstattarget from pg_attribute
  where attstattarget >= 0 and attnum > 0 and attrelid >= 16384
  union all
  select tgrelid::regclass || tgname || tgenabled::text from pg_trigger
  where not tgisinternal and tgname not in ('insert_message', 'update_message')
  order by 1`;

test('every row of a running installation comes back, with the same schema, and can be used', async () => {
  // Usage of the requests before is still being added.
  let count = 0;
  const { path, source, ...written } = await eventually(async () => {
    const before = await rowsOf(app.db);
    const file = await backup.parley('--to', join(folder, `whole-${count++}.backup`));
    return (await rowsOf(app.db)) === before && { ...file, source: before };
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const checked = await backup.parley('check', path);
  expect(checked).toMatchObject({ master_key_fits: true, has_keys: false, rows: { tenants: 2 } });
  const { rows: sourceSchema } = await app.db.pool.query(schema);

  const database = await emptyDatabase();
  const restored = await restore.parley(path, '--stopped');
  expect(restored).toMatchObject({ rows: written.rows, settled: null });
  expect(await rowsOf(database.db)).toBe(source);
  expect((await database.db.pool.query(schema)).rows).toEqual(sourceSchema);
  // It is in use now.
  await expect(restore.run(path)).rejects.toThrow(/^The database is not empty: \w+ has rows\./);

  const other = {} as TestApp;
  await openTestApp(other, {
    database: { ...database, drop: async () => {} },
    masterKey: app.masterKey,
  }).then(onTestFinished);
  const token = { authorization: `Bearer ${access.token}` };
  const found = await other.app.inject({ url: `/api/${access.slug}/contacts`, headers: token });
  expect(found.json().data.length).toBeGreaterThan(0);
});

test('work that the installation may have done after the backup is not done again', async () => {
  const path = join(folder, 'running.backup');
  await backup.run('--to', path);
  const { db } = await emptyDatabase();
  const { settled } = await restore.parley(path);
  expect(settled).toMatchObject({ bot_answers: 1, requests: 1 });
  expect(settled.store_events).toBeGreaterThan(0);
  const { rows } = await db.pool.query(`
    select (select count(*)::int from bot_answers where due_at is not null) as answers,
           (select count(*)::int from store_events where due_at is not null) as events,
           (select message_gone from idempotency_keys where key = 'in-progress') as gone,
           (select last_value from messages_id_seq) - (select max(id) from messages) >= 100000000 as skipped,
           (select last_value < 1000 from tenants_id_seq) as tenants_go_on,
           (select count(*)::int from auth.session) as sessions`);
  expect(rows).toEqual([
    { answers: 0, events: 0, gone: true, skipped: true, tenants_go_on: true, sessions: 0 },
  ]);

  // The same for a database that PostgreSQL itself has brought back.
  await db.pool.query(`update store_events set state = 'waiting', due_at = now()`);
  expect((await restore.parley('--recovered')).settled).toEqual({ ...settled, bot_answers: 0 });
  // Repeated after a restore that is undone, so that no id of the restored installation is assigned again.
  await restore.parley('--recovered');
  const { rows: ids } = await db.pool.query(
    'select (select last_value from messages_id_seq) - max(id) >= 300000000 as skipped from messages',
  );
  expect(ids).toEqual([{ skipped: true }]);
  await expect(restore.run()).rejects.toThrow('Name a file, or --recovered.');
  const { rows: process } = await db.pool.query(
    'select pg_advisory_lock_shared($1, 1) is null as holds, pg_backend_pid() as pid',
    [schemaLockClass],
  );
  await expect(restore.run('--recovered')).rejects.toThrow('Stop it first.');
  await db.pool.query('select pg_terminate_backend($1)', [process[0].pid]).catch(() => {});
});

test('an encrypted backup opens with its key only, and can contain the keys of the installation', async () => {
  const path = join(folder, 'sealed.backup');
  await expect(backup.run('--to', path, '--include-keys')).rejects.toThrow('needs --key-file');
  const written = await backup.parley('--to', path, '--include-keys', '--key-file', keyFile);
  expect(written.encrypted).toBe(true);
  expect((await readFile(path)).includes(app.masterKey.toString('base64'))).toBe(false);
  await expect(backup.run('check', path)).rejects.toThrow('is encrypted. Name its key');
  const wrong = join(folder, 'wrong');
  await writeFile(wrong, 'something else');
  await expect(backup.run('check', path, '--key-file', wrong)).rejects.toThrow('another key');
  expect(await backup.parley('check', path, '--key-file', keyFile)).toMatchObject({
    has_keys: true,
    master_key_fits: true,
  });

  const dataDir = await mkdtemp(join(folder, 'data-'));
  await emptyDatabase(dataDir);
  vi.stubEnv('PARLEY_MASTER_KEY', '');
  const { files } = await restore.parley(path, '--key-file', keyFile);
  expect(files).toEqual(['master-key']);
  expect(await readFile(join(dataDir, 'master-key'), 'utf8')).toBe(
    `${app.masterKey.toString('base64')}\n`,
  );
});

test('a backup that was written while Parley served cannot be restored as one of a stopped installation', async () => {
  const process = await app.db.connect();
  await process.query('select pg_advisory_lock_shared($1, 1)', [schemaLockClass]);
  const path = join(folder, 'serving.backup');
  await backup.run('--to', path).finally(() => process.end());
  const { db } = await emptyDatabase();
  await expect(restore.run(path, '--stopped')).rejects.toThrow(
    'Parley served while this backup was written',
  );
  expect((await db.pool.query('select to_regclass($1) as found', ['tenants'])).rows).toEqual([
    { found: null },
  ]);
  await restore.run(path);
});

test('an installation that has started, but has no tenant yet, takes the rows and the keys of a backup', async () => {
  const tls = join(app.services.config.dataDir, 'tls');
  await mkdir(tls);
  await writeFile(join(tls, 'authority.pem'), 'of the backup');
  vi.stubEnv('PARLEY_DATA_DIR', app.services.config.dataDir);
  const path = join(folder, 'moved.backup');
  await backup.run('--to', path, '--include-keys', '--key-file', keyFile);

  const dataDir = await mkdtemp(join(folder, 'data-'));
  const { db } = await emptyDatabase(dataDir);
  vi.stubEnv('PARLEY_MASTER_KEY', '');
  const { services, close } = await openServices(readConfig({ ...process.env }));
  const stopWorkers = startWorkers(services);
  const folders = () => db.pool.query('select from media_folders');
  await eventually(async () => (await folders()).rowCount === 1);
  await stopWorkers();
  await close();
  const key = await readFile(join(dataDir, 'master-key'), 'utf8');
  await mkdir(join(dataDir, 'tls'));
  await writeFile(join(dataDir, 'tls/authority.pem'), 'of the first start');

  const output = await restore.run(path, '--key-file', keyFile);
  expect(output).toContain('Wrote master-key, tls/authority.pem into the data folder.');
  const [, replaced] = /Kept what was there before as (.*)\./.exec(output)!;
  const [oldKey, oldAuthority] = replaced!.split(', ');
  const read = (name: string) => readFile(join(dataDir, name), 'utf8');
  expect(await read('master-key')).toBe(`${app.masterKey.toString('base64')}\n`);
  expect(await read('tls/authority.pem')).toBe('of the backup');
  expect(await read(oldKey!)).toBe(key);
  expect((await stat(join(dataDir, oldKey!))).mode & 0o777).toBe(0o600);
  expect(await read(oldAuthority!)).toBe('of the first start');
  // The processes announce their folder again.
  expect((await folders()).rowCount).toBe(0);
});

test('a backup without the settings of the service is refused, and creates nothing', async () => {
  const place = await createPlace();
  onTestFinished(() => place.remove());
  delete place.environment.DATABASE_URL;
  await expect(place.parley('backup', '--to', folder)).rejects.toThrow(
    `There is no database in ${place.dataDir}. Set PARLEY_DATA_DIR or DATABASE_URL as for the service.`,
  );
  await expect(place.parley('tenant', 'list')).rejects.toThrow('There is no database');
  place.environment.DATABASE_URL = databaseSettings(app).DATABASE_URL;
  await expect(place.parley('tenant', 'list')).rejects.toThrow(
    `There is no master key in ${place.dataDir}. Set PARLEY_DATA_DIR or PARLEY_MASTER_KEY as for the service.`,
  );
  expect(await readdir(place.dataDir)).toEqual([]);
});

test('a database without tenants is not backed up, because it is rarely the one that is meant', async () => {
  await emptyDatabase();
  await expect(backup.run('--to', join(folder, 'empty.backup'))).rejects.toThrow(
    'The database of DATABASE_URL has no tenants, so there is nothing to back up.',
  );
  expect(await readdir(folder)).not.toContain('empty.backup');
});

test('a backup does not migrate the database of an earlier version, whose program may still run', async () => {
  const { db } = await emptyDatabase();
  await migrate(db.pool, undefined, { upTo: '0010_members.sql' });
  await expect(backup.run('--to', join(folder, 'earlier.backup'))).rejects.toThrow(
    'a backup does not migrate it',
  );
  const { rows } = await db.pool.query('select max(name) as newest from migrations');
  expect(rows).toEqual([{ newest: '0010_members.sql' }]);
});

test('what cannot be restored is refused in one line, and the database stays empty', async () => {
  const path = join(folder, 'refused.backup');
  vi.stubEnv('PARLEY_CELL', 'eu1');
  onTestFinished(() => void vi.stubEnv('PARLEY_CELL', ''));
  await backup.run('--to', path);
  await expect(backup.run('--to', path)).rejects.toThrow('exists already');
  const missing = `${join(folder, 'missing')}/`;
  await expect(backup.run('--to', missing)).rejects.toThrow(`There is no folder ${missing}`);
  await expect(backup.run('--key-file', keyFile)).rejects.toThrow('Name the file: --to.');
  const damage = async (name: string, change: (path: string) => Promise<unknown>) => {
    const copy = join(folder, name);
    await copyFile(path, copy);
    await change(copy);
    return copy;
  };
  const bytes = await readFile(path);
  const { size } = await stat(path);
  const cut = await damage('cut', (copy) => truncate(copy, size - 100));
  const longer = await damage('longer', (copy) => appendFile(copy, 'more'));
  bytes[Math.floor(size / 2)]! ^= 1;
  const changed = await damage('changed', (copy) => writeFile(copy, bytes));
  const other = await damage('other', (copy) => writeFile(copy, 'Something else.\n'));

  const forged = join(folder, 'forged');
  await writeArchive(forged, undefined, async (archive) => {
    for await (const part of readArchive(path, undefined)) {
      if ('data' in part) await archive.data(part.data);
      else if (part.record.name !== 'tokens') await archive.record(part.record);
      else await archive.record({ ...part.record, name: `tokens (id) from program 'id' --` });
    }
  });

  const { db } = await emptyDatabase();
  await expect(restore.run(forged)).rejects.toThrow('that this installation does not have');
  for (const [file, problem] of [
    [cut, /damaged or not complete/],
    [longer, /damaged or not complete/],
    [changed, /damaged or not complete/],
    [other, /not a file of Parley/],
    [join(folder, 'none'), /cannot be read/],
  ] as const) {
    await expect(backup.run('check', file), file).rejects.toThrow(problem);
    await expect(restore.run(file), file).rejects.toThrow(problem);
  }
  vi.stubEnv('PARLEY_MASTER_KEY', Buffer.alloc(32).toString('base64'));
  await expect(restore.run(path)).rejects.toThrow('needs the master key of its installation');
  expect(await backup.run('check', path)).toContain('does NOT fit');
  process.exitCode = 0;
  // After a change of the key, one of two.
  vi.stubEnv(
    'PARLEY_MASTER_KEY',
    [Buffer.alloc(32), app.masterKey].map((key) => key.toString('base64')).join(),
  );
  expect(await backup.run('check', path)).not.toContain('does NOT fit');
  vi.stubEnv('PARLEY_CELL', 'eu2');
  await expect(restore.run(path)).rejects.toThrow(
    'a backup of the cell "eu1", and PARLEY_CELL is "eu2"',
  );
  vi.stubEnv('PARLEY_CELL', '');
  expect((await db.pool.query('select from tenants')).rows).toEqual([]);
  await restore.run(path, '--stopped');
});

test('a backup without a migration that landed after ones with higher numbers is restored, and gets it', async () => {
  const path = join(folder, 'complete.backup');
  await backup.run('--to', path);
  const later = '0061_vacuum_pruned_tables.sql';
  const older = join(folder, 'older.backup');
  await writeArchive(older, undefined, async (archive) => {
    for await (const part of readArchive(path, undefined)) {
      if ('data' in part) await archive.data(part.data);
      else if (part.record.kind !== 'backup') await archive.record(part.record);
      else {
        const migrations = part.record.migrations as { name: string }[];
        const kept = migrations.filter(({ name }) => name !== later);
        await archive.record({ ...part.record, migrations: kept });
      }
    }
  });
  const { db } = await emptyDatabase();
  await restore.run(older);
  const { rows } = await db.pool.query(
    `
    select name, 'events'::regclass::oid in (
      select oid from pg_class where 'autovacuum_vacuum_scale_factor=0.02' = any (reloptions)) as took_effect
    from migrations where name = $1`,
    [later],
  );
  expect(rows).toEqual([{ name: later, took_effect: true }]);
});

test('Ctrl-C during a restore restores nothing, and leaves the terminal with its cursor', async () => {
  const path = join(folder, 'interrupted.backup');
  await backup.run('--to', path);
  const { db } = await emptyDatabase();
  await migrate(db.pool);
  // The restore waits for this lock in its transaction.
  const holder = await db.connect();
  onTestFinished(() => holder.end());
  await holder.query('begin; lock table messages in share row exclusive mode');
  const terminal = spawn(`script -qec '${shellParley()} restore ${path}' /dev/null`, {
    shell: true,
  });
  let seen = '';
  terminal.stdout.on('data', (chunk) => {
    seen += chunk;
  });
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(async () => (await db.pool.query(waiting)).rowCount === 1);
  terminal.stdin.write('\x03');
  expect(await once(terminal, 'close')).toEqual([130, null]);
  expect(seen).toContain('Nothing was restored.');
  const [hides, shows] = ['\x1b[?25l', '\x1b[?25h'].map((code) => seen.lastIndexOf(code));
  expect(hides).toBeGreaterThan(-1);
  expect(shows).toBeGreaterThan(hides!);
  expect((await db.pool.query('select from tenants')).rows).toEqual([]);
});

test('an installation moves from the embedded database to a server, with the steps of the guide', async () => {
  const place = await createPlace();
  onTestFinished(() => place.remove());
  await copyCluster(place.dataDir, 'migrated');
  delete place.environment.DATABASE_URL;
  await place.parley('tenant', 'create', 'acme');
  const file = join(place.dataDir, 'move.backup');
  await place.parley('backup', '--to', file);

  await emptyDatabase();
  place.environment.DATABASE_URL = process.env.DATABASE_URL!;
  const restored = await place.parley('restore', '--stopped', file);
  expect(restored).toMatch(/^Restored \d+ rows, as of \S+\.\nNext: parley doctor\n$/);
  expect(await place.parley('tenant', 'list')).toContain('acme');
});

test('an installation with the embedded database moves to another data folder, with its key', async () => {
  const [from, to] = [await createPlace(), await createPlace()];
  onTestFinished(() => from.remove());
  onTestFinished(() => to.remove());
  for (const { dataDir, environment } of [from, to]) {
    await copyCluster(dataDir, dataDir === from.dataDir ? 'migrated' : 'empty');
    delete environment.DATABASE_URL;
  }
  await from.parley('tenant', 'create', 'acme');
  const { path, rows } = JSON.parse(
    await from.parley('backup', '--to', folder, '--include-keys', '--key-file', keyFile, '--json'),
  );
  expect(path).toMatch(/parley-\d{4}-\d\d-\d\dT[\d-]+Z\.backup$/);
  const restored = await to.parley('restore', path, '--key-file', keyFile);
  expect(restored).toContain(`Restored ${rows} rows`);
  const key = 'master-key';
  expect(await readFile(join(to.dataDir, key))).toEqual(await readFile(join(from.dataDir, key)));
});

test('a backup removes unfinished ones that a killed process left in its folder more than a day ago', async () => {
  const target = await mkdtemp(join(folder, 'nightly-'));
  const old = new Date(Date.now() - 25 * 3_600_000);
  const unfinished = 'parley-2026-11-25T02-00-00Z.backup.4711.part';
  const recent = 'parley-2026-11-26T02-00-00Z.backup.4712.part';
  const others = ['movie.part', 'parley-2026-11-25T02-00-00Z.backup'];
  for (const name of [unfinished, recent, ...others]) {
    await writeFile(join(target, name), '');
    if (name !== recent) await utimes(join(target, name), old, old);
  }
  // Another backup of the folder has just removed or renamed the file.
  const gone = 'parley-2026-11-25T02-00-00Z.backup.4713.part';
  await symlink(join(target, 'nothing'), join(target, gone));
  const { path } = await backup.parley('--to', target);
  const left = (await readdir(target)).filter((name) => name !== gone);
  expect(left.sort()).toEqual([...others, recent, basename(path)].sort());
});
