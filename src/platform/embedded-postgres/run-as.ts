import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The folder of clusters and copies of the programs if PostgreSQL's user cannot reach root's usual folders. */
export const linkedClusters = '/var/lib/parley-clusters';

/** The user for PostgreSQL if this process is root; undefined for this process's own user. */
export type RunAs = { uid: number; gid: number };

const execFileAsync = promisify(execFile);

/**
 * Options of child processes. They get nothing but a search path, so that no PG* or LD_* variable affects
 * them, and a working folder that every user may enter.
 */
export function childOptions(runAs: RunAs | undefined) {
  return { cwd: '/', env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }, ...runAs };
}

/** Runs a program to its end. If it fails, the error has its `stdout` and `stderr`. */
export function run(program: string, args: string[], runAs: RunAs | undefined) {
  return execFileAsync(program, args, childOptions(runAs));
}

/** Whether a user can enter a folder, tested by doing it: modes do not show ACLs and mounts. */
export async function canUse(folder: string, runAs: RunAs): Promise<boolean> {
  return run('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], runAs).then(
    () => true,
    () => false,
  );
}
