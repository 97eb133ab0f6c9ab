import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Where root's clusters and copies of the programs go when the usual places are out of reach. */
export const linkedClusters = '/var/lib/parley-clusters';

/** The user that PostgreSQL runs as, when this process is root; undefined: as this process. */
export type RunAs = { uid: number; gid: number };

const execFileAsync = promisify(execFile);

/**
 * What a child process gets: nothing of ours but a search path, so that no PG* or LD_* variable
 * changes what it does, and a working folder that every user may enter.
 */
export function childOptions(runAs: RunAs | undefined) {
  return { cwd: '/', env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C' }, ...runAs };
}

/** Runs a program to its end. Throws with `stdout` and `stderr` on the error when it fails. */
export function run(program: string, args: string[], runAs: RunAs | undefined) {
  return execFileAsync(program, args, childOptions(runAs));
}

/** Tries, as that user, to enter a folder. Modes alone do not tell: there are ACLs and mounts. */
export async function canUse(folder: string, runAs: RunAs): Promise<boolean> {
  return run('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], runAs).then(
    () => true,
    () => false,
  );
}
