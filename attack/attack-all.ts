import { setTimeout as pause } from 'node:timers/promises';
import { forkProgram } from '../test/program/fork-program.ts';
import { attackApi } from './campaigns/api-requests.ts';
import { attackCallbacks } from './campaigns/callbacks.ts';
import type { Attack } from './campaigns/campaign.ts';
import { attackByCsv } from './campaigns/csv-files.ts';
import { attackDashboard } from './campaigns/dashboard-requests.ts';
import { attackByMedia } from './campaigns/media-servers.ts';
import { attackPermissions } from './campaigns/permission-matrix.ts';
import { attackSockets } from './campaigns/raw-sockets.ts';
import { attackStores } from './campaigns/store-posts.ts';
import { createClient } from './client.ts';
import { fingerprint } from './fingerprint.ts';
import type { NeighbourLoad, Window } from './neighbour-process.ts';
import { type Scene, setScene } from './scene.ts';
import { Tally } from './tally.ts';
import type { Memory } from './target-process.ts';

/** The campaigns with their share of all inputs. They run one after the other. */
const campaigns: { name: string; share: number; run: (attack: Attack) => Promise<void> }[] = [
  { name: 'permissions', share: 0, run: attackPermissions },
  { name: 'callbacks', share: 0.17, run: attackCallbacks },
  { name: 'stores', share: 0.17, run: attackStores },
  { name: 'sockets', share: 0.05, run: attackSockets },
  { name: 'media', share: 0.004, run: attackByMedia },
  { name: 'csv', share: 0.002, run: attackByCsv },
  { name: 'api', share: 0.4, run: attackApi },
  // Last, because it changes the secrets of the attacker's stores.
  { name: 'dashboard', share: 0.2, run: attackDashboard },
];

export type Result = {
  tally: Tally;
  alone: Window;
  /** The neighbour's latencies during each campaign. */
  beside: { name: string; window: Window; seconds: number }[];
  before: Memory;
  after: Memory;
};

/** The maximum number of concurrent requests of the attacker. */
const width = 8;
const neighbourPerSecond = 25;
/** Each token may make 600 requests a minute; the API campaign makes about 700 a second. */
const maxTokens = 120;
/**
 * Starts the service, lets the neighbour send alone, then runs every campaign while the neighbour sends.
 *
 * @param only names of campaigns; all if absent
 * @param aloneMs how long the neighbour is measured alone
 * @param isTimed whether latencies and memory are compared
 * @param copyDatabase fills the data folder of the service. By default a new database is created
 * @param settleMs how long the service may take to free what a campaign held, before its memory is measured
 */
export async function attackAll({
  inputs,
  seed,
  only,
  isTimed = true,
  copyDatabase,
  aloneMs = 20_000,
  settleMs = 15_000,
  signal,
  onProgress = () => {},
}: {
  inputs: number;
  seed: number;
  only?: string[] | undefined;
  isTimed?: boolean;
  copyDatabase?: (dataDir: string) => Promise<void>;
  aloneMs?: number;
  settleMs?: number;
  /** Aborts the run and stops everything that was started. */
  signal?: AbortSignal;
  onProgress?: (line: string) => void;
}): Promise<Result> {
  const tokenCount = Math.min(maxTokens, 5 + Math.ceil(inputs / 400));
  const scene = await setScene({ tokenCount, isTimed, copyDatabase });
  const tally = new Tally();
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
  aborted.catch(() => {});
  try {
    const neighbour = await startNeighbour(scene);
    await pause(Math.min(aloneMs, 3_000));
    await neighbour.ask<Window>('window');
    await pause(aloneMs);
    const alone = await neighbour.ask<Window>('window');
    const before = await scene.memory();
    const untouched = await fingerprint(scene);

    const beside: Result['beside'] = [];
    for (const { name, share, run } of campaigns) {
      if (only && !only.includes(name)) continue;
      const client = createClient(scene.url, tally, `127.0.1.${beside.length + 2}`);
      const startedAt = performance.now();
      const attack = { scene, tally, client, inputs: Math.ceil(inputs * share), seed, width };
      await Promise.race([run(attack), aborted]).finally(client.close);
      const seconds = (performance.now() - startedAt) / 1_000;
      const window = await neighbour.ask<Window>('window');
      beside.push({ name, window, seconds });
      onProgress(
        `${name}: ${seconds.toFixed(0)} s, neighbour p50 ${window.p50.toFixed(1)} ms, p99 ${window.p99.toFixed(1)} ms`,
      );
    }

    for (const [table, hash] of await fingerprint(scene)) {
      if (hash === untouched.get(table)) continue;
      const detail = `${table} of the victim changed during the attack`;
      tally.fault({ kind: 'breach', campaign: 'all', detail });
    }
    searchLog(scene, tally);
    await neighbour.ask<Window>('stop');
    await pause(settleMs);
    return { tally, alone, beside, before, after: await scene.memory() };
  } finally {
    await scene.close();
  }
}

async function startNeighbour({ url, neighbour: { slug, tokens } }: Scene) {
  const load: NeighbourLoad = { url, slug, tokens, perSecond: neighbourPerSecond };
  const neighbour = forkProgram(new URL('neighbour-process.ts', import.meta.url), { task: load });
  await neighbour.first;
  return neighbour;
}

/** Secrets must not be in the log, whatever was sent. */
function searchLog(scene: Scene, tally: Tally): void {
  const log = scene.readLog();
  for (const { slug, canaries } of [scene.attacker, scene.victim, scene.neighbour]) {
    // The first one marks records and is not a secret.
    for (const secret of canaries.slice(1)) {
      if (log.includes(secret)) {
        const detail = `a secret of ${slug} is in the log`;
        tally.fault({ kind: 'leak', campaign: 'log', detail });
      }
    }
  }
}
