import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { open, readFile, rename, rm, statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainFailure } from './embedded-postgres-failed.ts';
import type { Cluster } from './find-cluster.ts';
import { childOptions } from './run-as.ts';
import { boundLog, openLog, readLogSince } from './server-log.ts';
import { serverSettings } from './server-settings.ts';
import type { StartLog } from './start-log.ts';

/** How long a server may take from its lock to its socket before it counts as dead. */
const untilSocketMs = 1_000;
/** How long processes of a killed server may hold the cluster's memory before a start fails. */
const leftoversMs = 20_000;
const fastStopMs = 6_000;
const immediateStopMs = 4_000;

/**
 * Starts the server and waits until it accepts connections, including crash recovery. Also returns if another
 * process has started it meanwhile.
 *
 * @throws EmbeddedPostgresFailed with the last lines of the server's log
 */
export async function startPostmaster(
  cluster: Cluster,
  options: { durable: boolean; log?: StartLog | undefined },
): Promise<void> {
  await writeSettings(cluster);
  await boundLog(cluster.logFile);
  const giveUpAt = Date.now() + leftoversMs;
  for (;;) {
    if (isStarting(cluster)) {
      await sleep(50);
      continue;
    }
    if (await isRunning(cluster)) return;
    const output = await spawnPostmaster(cluster, options);
    if (output === undefined || (await isRunning(cluster))) return;
    // Another process is starting the server too, or processes of a killed one are still ending.
    const transient = /" (already exists|is empty)|is still in use/;
    if (!transient.test(output) || Date.now() > giveUpAt) {
      const where = `PostgreSQL does not start. Its log is ${cluster.logFile}.`;
      throw explainFailure(output ? where : `${where} ${await explainSilence(cluster)}`, output);
    }
    await sleep(50);
  }
}

/** Explains an empty log: with a full disk, the server cannot write why it fails. */
async function explainSilence({ data }: Cluster): Promise<string> {
  const { bavail, bsize } = await statfs(data);
  return `The log is empty. Its disk has ${Math.floor((bavail * bsize) / 2 ** 20)} MB free.`;
}

/** Resolves with undefined when the server is ready, or with the last log lines if it has ended. */
async function spawnPostmaster(
  cluster: Cluster,
  { durable, log }: { durable: boolean; log?: StartLog | undefined },
): Promise<string | undefined> {
  discardStaleLock(join(cluster.data, 'postmaster.pid'), cluster);
  discardStaleLock(join(cluster.socketDir, `.s.PGSQL.${cluster.port}.lock`), cluster);
  const logFile = await openLog(cluster.logFile, cluster.runAs);
  const logStart = (await logFile.stat()).size;
  const socketDir = `"${cluster.socketDir.replaceAll('"', '""')}"`;
  const settings = ['listen_addresses=', `unix_socket_directories=${socketDir}`];
  if (!durable) {
    settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
    // Plans and query texts must not depend on earlier statements of the connection.
    settings.push('autovacuum=off');
    // Every connection maps the pages of the cache that it touches, and every truncation searches the whole cache.
    settings.push('shared_buffers=24MB');
    settings.push('wal_level=minimal', 'max_wal_senders=0');
  }
  // In its own session, so that Ctrl-C in a terminal reaches us and not the server.
  const child = spawn(
    join(cluster.binaries.bin, 'postgres'),
    ['-D', cluster.data, '-p', String(cluster.port), ...settings.flatMap((each) => ['-c', each])],
    { ...childOptions(cluster.runAs), detached: true, stdio: ['ignore', logFile.fd, logFile.fd] },
  );
  let ended: string | undefined;
  child.once('error', (error) => {
    ended = String(error);
  });
  child.once('exit', () => {
    ended ??= '';
  });
  child.unref();
  try {
    for (let waitedMs = 0; ended === undefined; waitedMs += 10) {
      if (readLock(join(cluster.data, 'postmaster.pid'))?.status === 'ready') return undefined;
      if (waitedMs % 10_000 === 5_000) log?.info('PostgreSQL is still starting (recovering).');
      await sleep(10);
    }
    return ended || (await readLogSince(cluster.logFile, logStart));
  } finally {
    await logFile.close();
  }
}

/** Whether a server runs on this cluster, in any state or in the given one. */
export async function isRunning(cluster: Cluster, status?: 'ready'): Promise<boolean> {
  const lock = readLock(join(cluster.data, 'postmaster.pid'));
  if (!lock || !(isServerOf(lock.pid, cluster) || (await listens(cluster)))) return false;
  return status === undefined || lock.status === status;
}

/**
 * Stops the server: gracefully, then without a final checkpoint (the next start recovers all acknowledged
 * data), then by force. Resolves when the process is gone.
 */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const pid = readLock(join(cluster.data, 'postmaster.pid'))?.pid;
  if (pid === undefined) return;
  for (const [signal, waitMs] of [
    ['SIGINT', fastStopMs],
    ['SIGQUIT', immediateStopMs],
    ['SIGKILL', immediateStopMs],
  ] as const) {
    if (!isServerOf(pid, cluster)) return;
    process.kill(pid, signal);
    const until = Date.now() + waitMs;
    while (Date.now() < until) {
      await sleep(10);
      if (!isServerOf(pid, cluster)) return;
    }
  }
}

async function writeSettings(cluster: Cluster): Promise<void> {
  const path = join(cluster.data, 'parley.conf');
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  const settings = serverSettings();
  try {
    if ((await readFile(path, 'utf8').catch(() => '')) === settings) return;
    const file = await open(draft, 'wx', 0o600);
    await file.writeFile(settings);
    if (cluster.runAs) await file.chown(cluster.runAs.uid, cluster.runAs.gid);
    await file.close();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw explainFailure(`The database's settings cannot be written to ${path}.`, String(error));
  }
}

/**
 * Whether a server responds at this cluster's socket. If two containers share the folder, neither sees the
 * other's processes, and a second server would corrupt the files.
 */
function listens(cluster: Cluster): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(join(cluster.socketDir, `.s.PGSQL.${cluster.port}`));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // With a full queue it refuses only for a moment.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EAGAIN'));
  });
}

/** Whether a server that is not visible took its lock a moment ago and is about to listen. */
function isStarting(cluster: Cluster): boolean {
  const lock = readLock(join(cluster.data, 'postmaster.pid'));
  return lock !== undefined && !lock.socketDir && Date.now() - lock.changedAt < untilSocketMs;
}

type Lock = { text: string; pid: number; socketDir: string; status: string; changedAt: number };

/**
 * Reads postmaster.pid: process id, folder, start time, port, socket folder, address, memory key, status
 * (https://www.postgresql.org/docs/18/storage-file-layout.html). A socket's lock has no status.
 */
function readLock(path: string): Lock | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    const lines = text.split('\n');
    const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10));
    return {
      text,
      pid: Number.isNaN(pid) ? 0 : pid,
      socketDir: lines[4] ?? '',
      status: lines[7]?.trim() ?? '',
      changedAt: statSync(path).mtimeMs,
    };
  } catch {
    return undefined;
  }
}

/**
 * Removes a stale lock file. After a crash it names a process that is gone, or another program with the same
 * id, for which PostgreSQL would refuse to start. The file is renamed first: if it turns out to be a new lock
 * of another process, it is put back.
 */
function discardStaleLock(path: string, cluster: Cluster): void {
  const lock = readLock(path);
  if (!lock || lock.pid === 0 || isServerOf(lock.pid, cluster)) return;
  const aside = `${path}.stale-${randomBytes(4).toString('hex')}`;
  try {
    renameSync(path, aside);
    if (readLock(aside)?.text !== lock.text) linkSync(aside, path);
    rmSync(aside);
  } catch (error) {
    // Another process has just done the same.
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Whether the process is a PostgreSQL server of this folder, not another program with the same id. */
function isServerOf(pid: number, cluster: Cluster): boolean {
  if (pid === 0) return false;
  if (process.platform !== 'linux') return commandOf(pid).includes(cluster.data);
  try {
    // A server works in its data folder, even after the folder was moved.
    const own = statSync(cluster.data);
    const its = statSync(`/proc/${pid}/cwd`);
    const program = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
    return own.dev === its.dev && own.ino === its.ino && /(^|\/)postgres\b/.test(program);
  } catch {
    return false; // gone, a zombie, or another user's
  }
}

function commandOf(pid: number): string {
  try {
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
