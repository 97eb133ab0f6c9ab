import { readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { EmbeddedPostgresFailed } from './embedded-postgres-failed.ts';
import { type Cluster, findCluster } from './find-cluster.ts';
import { isRunning, startPostmaster, stopPostmaster } from './postmaster.ts';
import { boundLog } from './server-log.ts';
import type { StartLog } from './start-log.ts';

export type EmbeddedPostgres = {
  /** Ready for `new Pool(connection)`; `host` is the folder of the unix socket. */
  connection: { host: string; port: number; user: string; password: string; database: string };
  /** Releases this user's share. The last one to leave stops the server. End your pool first. */
  release(): Promise<void>;
};

/** An arbitrary number: the advisory lock that every user of the cluster holds shared while using it. */
const usersLock = 7_267_539;
const logCheckMs = 60_000;
const maxRetryDelayMs = 10_000;
/** How long a server that is ready may have no socket, as at its end. */
const maxWithoutSocketMs = 2_000;

/**
 * Makes sure that the embedded PostgreSQL of a data folder runs: creates the cluster at first use, and starts
 * or adopts the server. Several processes may do this at once.
 *
 * @param options.durable `false` trades crash safety for speed: only for throwaway clusters of tests
 * @throws EmbeddedPostgresFailed, whose message says what to do
 */
export async function ensurePostgres(options: {
  dataDir: string;
  log?: StartLog;
  durable?: boolean;
}): Promise<EmbeddedPostgres> {
  const durable = options.durable ?? true;
  const cluster = await findCluster({ dataDir: options.dataDir, durable, log: options.log });
  const keeper = new Keeper(cluster, durable, options.log);
  await keeper.hold();
  return {
    connection: { ...socketAddress(cluster), user: 'parley', database: 'parley' },
    release: () => keeper.release(),
  };
}

/**
 * One user's hold on the running server: a connection with a shared advisory lock. PostgreSQL releases it
 * when the process dies, so there is nothing to clean up after a kill -9.
 */
class Keeper {
  #cluster: Cluster;
  #durable: boolean;
  #log: StartLog | undefined;
  #client: Client | undefined;
  #holding: Promise<void> | undefined;
  #leaving = new AbortController();
  #released: Promise<void> | undefined;
  #logCheck: NodeJS.Timeout | undefined;

  constructor(cluster: Cluster, durable: boolean, log: StartLog | undefined) {
    this.#cluster = cluster;
    this.#durable = durable;
    this.#log = log;
  }

  async hold(): Promise<void> {
    this.#client = await join(this.#cluster, this.#durable, this.#log);
    const client = this.#client;
    client.once('end', () => this.#regain(client));
    this.#logCheck ??= setInterval(() => boundLog(this.#cluster.logFile), logCheckMs).unref();
  }

  /** Restarts the server after a crash. Otherwise a long-lived process would lose its hold. */
  #regain(lost: Client): void {
    if (this.#client === lost) this.#client = undefined;
    if (this.#leaving.signal.aborted) return;
    this.#log?.warn('The connection to the embedded PostgreSQL was lost. It is being restarted.');
    this.#holding = this.#holdAgain();
  }

  async #holdAgain(): Promise<void> {
    for (let delayMs = 100; ; delayMs = Math.min(delayMs * 2, maxRetryDelayMs)) {
      try {
        return await this.hold();
      } catch (error) {
        this.#log?.warn(
          `The embedded PostgreSQL could not be restarted. ${(error as Error).message}`,
        );
      }
      await sleep(delayMs, undefined, { signal: this.#leaving.signal }).catch(() => {});
      if (this.#leaving.signal.aborted) return;
    }
  }

  release(): Promise<void> {
    this.#leaving.abort();
    this.#released ??= this.#leave();
    return this.#released;
  }

  async #leave(): Promise<void> {
    clearInterval(this.#logCheck);
    await this.#holding;
    const client = this.#client;
    if (!client) return;
    try {
      await client.query('SELECT pg_advisory_unlock_shared($1)', [usersLock]);
      const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS last', [usersLock]);
      if (rows[0]?.last) await stopPostmaster(await currentCluster(client, this.#cluster));
    } catch (error) {
      if (!isConnectionCut(error)) throw error;
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/**
 * Starts the server unless it runs, and takes the shared lock. Retries if a shutdown interrupts this.
 *
 * @throws EmbeddedPostgresFailed also if the server runs but its socket is in a folder that this process does not see
 */
async function join(cluster: Cluster, durable: boolean, log?: StartLog): Promise<Client> {
  let seenAt = Date.now();
  for (;;) {
    if (!(await isRunning(cluster))) await startPostmaster(cluster, { durable, log });
    const client = new Client({
      ...socketAddress(cluster),
      user: 'postgres',
      database: 'postgres',
      application_name: 'parley keeper',
    });
    client.on('error', () => {}); // 'end' follows, and the keeper handles it
    try {
      await client.connect();
      await client.query('SELECT pg_advisory_lock_shared($1)', [usersLock]);
      // The lock also becomes free during a shutdown, so the server must still be ready.
      if (await isRunning(cluster, 'ready')) return client;
      await client.end();
    } catch (error) {
      await client.end().catch(() => {});
      if (!isConnectionCut(error)) throw error;
      const hasNoSocket = (error as { code?: string }).code === 'ENOENT';
      if (!hasNoSocket || !(await isRunning(cluster, 'ready'))) seenAt = Date.now();
      if (Date.now() - seenAt > maxWithoutSocketMs) throw invisibleSocket(cluster);
    }
    await sleep(20);
  }
}

function invisibleSocket({ data, socketDir }: Cluster): EmbeddedPostgresFailed {
  return new EmbeddedPostgresFailed(
    `The server of ${data} runs, but its socket in ${socketDir} is not visible to this process. If a service of systemd with PrivateTmp=yes runs it, use a data folder with a shorter path.`,
  );
}

/** Finds the current folder of the server, which may have been moved since it was started. */
async function currentCluster(client: Client, cluster: Cluster): Promise<Cluster> {
  const { rows } = await client.query("SELECT pg_read_file('postmaster.pid') AS lock");
  const pid = Number.parseInt(rows[0].lock, 10);
  return { ...cluster, data: await readlink(`/proc/${pid}/cwd`).catch(() => cluster.data) };
}

function socketAddress(cluster: Cluster) {
  return { host: cluster.socketDir, port: cluster.port, password: cluster.password };
}

/** Codes of PostgreSQL's class 57P (shutting down, starting up, crashed) and of the socket. */
function isConnectionCut(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code?.startsWith('57P')) return true;
  if (['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', '53300'].includes(code ?? '')) return true;
  return /Connection terminated|not queryable|connection is closed/i.test(message ?? '');
}
