import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, chown, mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { firewallOf } from './firewall.ts';
import { startHaproxy } from './haproxy.ts';
import { until } from './open-scene.ts';

const ports = { etcd: 28_600, etcdPeer: 28_601, postgres: 28_610, patroni: 28_620, proxy: 28_630 };
/** Of Debian's `postgresql-15`. PostgreSQL does not run as root. */
const binaries = '/usr/lib/postgresql/15/bin';
const user = 'postgres';

/** A PostgreSQL with Patroni. */
type Node = {
  place: number;
  folder: string;
  patroni: ChildProcess | undefined;
  firewalls: ReturnType<typeof firewallOf>[];
};

type Member = { name: string; role: string; state: string };

/**
 * Starts PostgreSQL servers under Patroni, as docs/high-availability.md describes them, but all on this machine: with
 * one etcd, and HAProxy in front of the leader. Needs root, because Debian's PostgreSQL runs as another user.
 */
export async function startCluster(folder: string, count: number) {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, user]))) as [
    number,
    number,
  ];
  const children = new Set<ChildProcess>();
  const log = await open(join(folder, 'log'), 'a');
  const run = (command: string, args: string[], as: { uid?: number; gid?: number } = {}) => {
    const child = spawn(command, args, { ...as, stdio: ['ignore', log.fd, log.fd], cwd: '/' });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  await chmod(folder, 0o755);

  run('etcd', [
    ...['--data-dir', join(folder, 'etcd'), '--log-level', 'error'],
    ...['--listen-client-urls', `http://127.0.0.1:${ports.etcd}`],
    ...['--advertise-client-urls', `http://127.0.0.1:${ports.etcd}`],
    ...['--listen-peer-urls', `http://127.0.0.1:${ports.etcdPeer}`],
    ...['--initial-advertise-peer-urls', `http://127.0.0.1:${ports.etcdPeer}`],
    ...['--initial-cluster', `default=http://127.0.0.1:${ports.etcdPeer}`],
  ]);

  const nodes: Node[] = [];
  for (let place = 0; place < count; place++) {
    const own = join(folder, `node${place + 1}`);
    await mkdir(own);
    await chown(own, uid, gid);
    // JSON is YAML.
    await writeFile(join(own, 'patroni.yml'), JSON.stringify(settingsOf(place, own)));
    const firewalls = [ports.postgres + place, ports.patroni + place].map(firewallOf);
    nodes.push({ place, folder: own, patroni: undefined, firewalls });
  }
  const start = (node: Node) => {
    node.patroni = run('patroni', [join(node.folder, 'patroni.yml')], { uid, gid });
  };

  async function members(): Promise<Member[]> {
    for (const { place } of nodes) {
      const url = `http://127.0.0.1:${ports.patroni + place}/cluster`;
      const response = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => {});
      if (response) return ((await response.json()) as { members: Member[] }).members;
    }
    return [];
  }

  /** Whether all nodes work, and one of them is the synchronous standby. */
  async function isWhole(): Promise<boolean> {
    const known = await members();
    const working = known.filter(({ state }) => ['running', 'streaming'].includes(state));
    return working.length === count && working.some(({ role }) => role === 'sync_standby');
  }

  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
  });
  for (const node of nodes) start(node);
  const proxy = await startHaproxy(folder, proxySections(count));
  await until(isWhole);

  return {
    url: `postgres://parley:secret@127.0.0.1:${ports.proxy}/parley`,
    isWhole,
    /** Creates the role and the database on the leader. */
    async createDatabase(): Promise<void> {
      const psql = (statement: string) =>
        execFileSync(join(binaries, 'psql'), [
          ...['-h', '127.0.0.1', '-p', String(ports.proxy), '-U', 'postgres', '-c', statement],
        ]);
      psql("create role parley login password 'secret'");
      psql("create database parley owner parley encoding 'UTF8' template template0");
    },
    async leader(): Promise<Node> {
      const leader = (await members()).find(({ role }) => role === 'leader');
      return nodes.find(({ place }) => `node${place + 1}` === leader?.name)!;
    },
    /** Waits until Patroni reports another leader. */
    async whenElected({ place }: Node): Promise<void> {
      await until(async () => {
        const working = (await members()).filter(({ state }) => state === 'running');
        return working.some(({ name, role }) => role === 'leader' && name !== `node${place + 1}`);
      });
    },
    /** Waits until HAProxy leads to another node. */
    async whenReplaced({ place }: Node): Promise<void> {
      await until(async () => {
        const up = await proxy.serversUp('postgres');
        return up.some((name) => name !== `node${place + 1}`);
      });
    },
    /** Ends all processes of a node at once. Their connections are closed. */
    async kill(node: Node): Promise<void> {
      for (const pid of await processesOf(node)) signal(pid, 'SIGKILL');
    },
    /** The machine of a node loses its power: nothing is answered, and nothing is closed. */
    async silence(node: Node): Promise<void> {
      for (const firewall of node.firewalls) firewall.die();
      for (const pid of await processesOf(node)) signal(pid, 'SIGSTOP');
    },
    /** Starts a node again, as after a power cut. */
    async revive(node: Node, wasSilent: boolean): Promise<void> {
      for (const pid of await processesOf(node)) signal(pid, 'SIGKILL');
      if (wasSilent) for (const firewall of node.firewalls) firewall.revive();
      await sleep(500);
      start(node);
      await until(isWhole);
    },
    async close(): Promise<void> {
      await proxy.stop();
      for (const node of nodes) {
        for (const pid of await processesOf(node)) signal(pid, 'SIGKILL');
      }
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

function settingsOf(place: number, folder: string): object {
  const address = (port: number) => {
    const at = `127.0.0.1:${port + place}`;
    return { listen: at, connect_address: at };
  };
  const trusted = (database: string) => `host ${database} all 127.0.0.1/32 trust`;
  return {
    scope: 'parley',
    name: `node${place + 1}`,
    restapi: address(ports.patroni),
    etcd3: { host: `127.0.0.1:${ports.etcd}` },
    bootstrap: {
      dcs: {
        ttl: 5,
        loop_wait: 1,
        retry_timeout: 2,
        primary_start_timeout: 0,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: { max_connections: 150, wal_keep_size: '64MB', shared_buffers: '32MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      ...address(ports.postgres),
      data_dir: join(folder, 'data'),
      bin_dir: binaries,
      pgpass: join(folder, 'pgpass'),
      pg_hba: ['local all all trust', trusted('all'), trusted('replication')],
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
      },
      parameters: { unix_socket_directories: folder },
    },
  };
}

function proxySections(count: number): string {
  const servers = Array.from(
    { length: count },
    (_, place) =>
      `  server node${place + 1} 127.0.0.1:${ports.postgres + place} check port ${ports.patroni + place}`,
  );
  return `
defaults
  mode tcp
  timeout connect 1s
  timeout check 1s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${ports.proxy}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms downinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}

/** Patroni, the postmaster that it has started, and the postmaster's children. */
async function processesOf({ patroni, folder }: Node): Promise<number[]> {
  const line = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
  const postmaster = Number(line.split('\n')[0]);
  const found = patroni?.exitCode === null && patroni.pid ? [patroni.pid] : [];
  if (!(postmaster > 0)) return found;
  const children: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (parent === postmaster) children.push(Number(name));
  }
  return [...found, postmaster, ...children];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}
