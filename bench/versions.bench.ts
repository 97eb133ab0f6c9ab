import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { forkProgram } from '../test/program/fork-program.ts';
import { cpuMs, databaseCpuMs, median, putLoad, startServer } from './processes.ts';

/**
 * Compares sends and creates of this version with those of another checkout, such as a git worktree of the
 * last release with its packages installed. Each has its own database. By chance, one database can be a tenth
 * faster than another, so both are started several times. Rounds alternate, and so does the version that
 * begins.
 *
 *     npm run bench -- versions ../parley-1.0.0 [--kinds send,create] [--connections 1,10,50]
 *                               [--starts 3] [--rounds 4] [--seconds 2]
 */
const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: {
    kinds: { type: 'string', default: 'send,create' },
    connections: { type: 'string', default: '1,10,50' },
    starts: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '2' },
  },
});
const [otherRoot] = positionals;
if (!otherRoot) throw new Error('name the folder of the checkout to compare with');
const levels = values.connections.split(',').map(Number);
const kinds = values.kinds.split(',') as ('send' | 'create')[];

const tokenCount = 1_600;
/** A token may make 600 requests a minute, and none is used twice within one. */
const stretch = 500;

const requests = {
  send: {
    path: '/api/bench/messages/send',
    body: JSON.stringify({
      phone_number: '+447{serial}',
      type: 'text',
      message: 'Your order is on its way.',
    }),
  },
  create: {
    path: '/api/bench/contacts',
    body: JSON.stringify({ firstname: 'Ada', lastname: 'Lovelace', phone: '+447{serial}' }),
  },
};

type Version = Awaited<ReturnType<typeof startVersion>>;
type Run = { perSecond: number; p99: number; serverMs: number; databaseMs: number };
type Pair = { other: Run; ours: Run };

const stub = await startServer('bench/network-stub.ts', {});
const networkUrl = `http://127.0.0.1:${stub.port}`;
const pairs = new Map<string, Pair[]>();
try {
  for (let start = 0; start < Number(values.starts); start++) await comparePair(start % 2 === 1);
} finally {
  await stub.stop();
}
report();

async function comparePair(oursFirst: boolean): Promise<void> {
  const roots = [resolve(otherRoot!), resolve(import.meta.dirname, '..')];
  const started = new Map<string, Version>();
  try {
    for (const root of oursFirst ? roots.toReversed() : roots) {
      started.set(root, await startVersion(root));
    }
    const [other, ours] = roots.map((root) => started.get(root)!) as [Version, Version];
    for (const kind of kinds) {
      for (const version of [other, ours]) await run(version, kind, 10, 2);
      for (const connections of levels) {
        const name = `${kind.padEnd(8)}${String(connections).padStart(4)}`;
        for (let round = 0; round < Number(values.rounds); round++) {
          const measure = (version: Version) =>
            run(version, kind, connections, Number(values.seconds));
          const pair = {} as Pair;
          if (round % 2 === 1) pair.ours = await measure(ours);
          pair.other = await measure(other);
          pair.ours ??= await measure(ours);
          pairs.set(name, [...(pairs.get(name) ?? []), pair]);
        }
      }
    }
  } finally {
    for (const version of started.values()) await version.stop();
  }
}

function report(): void {
  process.stdout.write(
    'request  con.   other req/s   this req/s   ratio   p99 ratio   CPU server   CPU database\n',
  );
  for (const [name, measured] of pairs) {
    const ratio = (key: keyof Run) =>
      median(measured.map(({ other, ours }) => ours[key] / other[key])).toFixed(3);
    const perSecond = (who: keyof Pair) =>
      median(measured.map((pair) => pair[who].perSecond)).toFixed(0);
    process.stdout.write(
      `${name}${perSecond('other').padStart(15)}${perSecond('ours').padStart(13)}` +
        `${ratio('perSecond').padStart(8)}${ratio('p99').padStart(12)}` +
        `${ratio('serverMs').padStart(13)}${ratio('databaseMs').padStart(15)}\n`,
    );
  }
}

async function startVersion(root: string) {
  type Started = { port: number; pid: number; dataDir: string; tokens: string[] };
  const version = forkProgram<Started>(new URL('version-process.ts', import.meta.url), {
    args: [root, networkUrl, String(tokenCount)],
  });
  return {
    ...(await version.first),
    nextToken: 0,
    nextSerial: 0,
    stop: () => version.end(),
  };
}

async function run(
  version: Version,
  kind: keyof typeof requests,
  connections: number,
  seconds: number,
): Promise<Run> {
  const { path, body } = requests[kind];
  const serverBefore = await cpuMs(version.pid);
  const databaseBefore = await databaseCpuMs(version.dataDir);
  const result = await putLoad({
    url: `https://127.0.0.1:${version.port}`,
    connections,
    seconds,
    stretch,
    first: version.nextToken,
    firstSerial: version.nextSerial,
    requests: version.tokens.map((token) => ({
      method: 'POST' as const,
      path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
    })),
  });
  version.nextToken = result.next;
  version.nextSerial = result.nextSerial;
  if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
  return {
    perSecond: result.requests / result.seconds,
    p99: result.p99,
    serverMs: ((await cpuMs(version.pid)) - serverBefore) / result.requests,
    databaseMs: ((await databaseCpuMs(version.dataDir)) - databaseBefore) / result.requests,
  };
}
