import type { ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { forkProgram } from '../test/program/fork-program.ts';
import type { Load, LoadResult } from './load.ts';
import type { PacedLoad, PacedResult } from './paced-load.ts';

const root = new URL('..', import.meta.url);
/** Clock ticks a second in /proc/<pid>/stat; 100 on every Linux that Node supports. */
const ticksPerSecond = 100;

/** The flags of bin/parley. */
const parleyFlags = [
  '--heap-growing-percent=200',
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--expose-gc',
];

export type Server = { child: ChildProcess; port: number; stop(): Promise<void> };

/** Starts a program that reports `{port}` when it listens. */
export async function startServer(
  path: string,
  environment: Record<string, string>,
): Promise<Server> {
  const { child, first, end } = forkProgram<{ port: number }>(new URL(path, root), {
    environment,
    flags: path.startsWith('bench/parley') ? parleyFlags : [],
  });
  return { child, port: (await first).port, stop: () => end() };
}

/** Runs the load generator in its own process. */
export async function putLoad(load: Load): Promise<LoadResult> {
  const generator = forkProgram<LoadResult>(new URL('load.ts', import.meta.url), {
    task: load,
    output: 'inherit',
  });
  const result = await generator.first;
  await generator.ended();
  return result;
}

export type Paced = { run(): Promise<PacedResult> };

/** Prepares and connects a load at a fixed rate in its own process. `run` starts it. */
export async function preparePaced(load: PacedLoad): Promise<Paced> {
  const generator = forkProgram(new URL('paced-load.ts', import.meta.url), {
    task: load,
    output: 'inherit',
  });
  await generator.first;
  return {
    async run() {
      const result = await generator.ask<PacedResult>('go');
      await generator.ended();
      return result;
    },
  };
}

/** Reads the CPU time of a process so far, user and system, in milliseconds. */
export async function cpuMs(pid: number): Promise<number> {
  return readStat(await readFile(`/proc/${pid}/stat`, 'utf8')).cpuMs;
}

/**
 * Reads the CPU time of a data folder's embedded database in milliseconds, with all its processes, also those
 * that have ended.
 */
export async function databaseCpuMs(dataDir: string): Promise<number> {
  const [postmaster, ...children] = await statsOfDatabase(dataDir);
  return children.reduce((sum, { cpuMs }) => sum + cpuMs, postmaster.cpuMs + postmaster.endedMs);
}

/** Finds the processes of a data folder's embedded database. */
export async function databasePids(dataDir: string): Promise<number[]> {
  return (await statsOfDatabase(dataDir)).map(({ pid }) => pid);
}

type Stat = { pid: number; parent: number; cpuMs: number; endedMs: number };

/** The first one is the postmaster. */
async function statsOfDatabase(dataDir: string): Promise<[Stat, ...Stat[]]> {
  const pidFile = join(dataDir, 'postgres', 'data', 'postmaster.pid');
  const postmaster = Number((await readFile(pidFile, 'utf8')).split('\n')[0]);
  const ofPostmaster = async () => readStat(await readFile(`/proc/${postmaster}/stat`, 'utf8'));
  const before = await ofPostmaster();
  const children: Stat[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // Any of them may have ended by now.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined);
    if (stat === undefined) continue;
    const each = { pid: Number(name), ...readStat(stat) };
    if (each.parent === postmaster) children.push(each);
  }
  const own = await ofPostmaster();
  // Otherwise a process that ended meanwhile would count twice, or not at all.
  if (own.endedMs !== before.endedMs) return statsOfDatabase(dataDir);
  return [{ pid: postmaster, ...own }, ...children];
}

/** Parses /proc/<pid>/stat. `endedMs` is the time of its children that have ended. */
function readStat(stat: string): Omit<Stat, 'pid'> {
  // The program's name, which comes first, may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [own = 0, ownInKernel = 0, ended = 0, endedInKernel = 0] = fields.slice(11, 15).map(Number);
  return {
    parent: Number(fields[1]),
    cpuMs: ((own + ownInKernel) * 1000) / ticksPerSecond,
    endedMs: ((ended + endedInKernel) * 1000) / ticksPerSecond,
  };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
