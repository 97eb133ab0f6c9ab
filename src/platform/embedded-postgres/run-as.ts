import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
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
export function childOptions(runAs: RunAs | undefined, names: Record<string, string> = {}) {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', ...names };
  return { cwd: '/', env, ...runAs };
}

/**
 * Runs a program to its end. If it fails, the error has its `stdout` and `stderr`.
 *
 * @param names from `nameUser`
 */
export function run(
  program: string,
  args: string[],
  runAs: RunAs | undefined,
  names?: Record<string, string>,
) {
  return execFileAsync(program, args, childOptions(runAs, names));
}

/**
 * Gives this process's user a name if it has none, because initdb refuses such users. A container may run as any
 * number that is not in /etc/passwd. Debian's libnss-wrapper, which is in the image, reads another file in its place.
 *
 * @param folder for that file
 * @returns variables for the environment of the programs
 */
export async function nameUser(folder: string): Promise<Record<string, string>> {
  try {
    userInfo();
    return {};
  } catch {
    const passwd = passwdIn(folder);
    await writeFile(passwd, `parley:x:${process.getuid?.()}:${process.getgid?.()}::/:/bin/false\n`);
    return {
      LD_PRELOAD: 'libnss_wrapper.so',
      NSS_WRAPPER_PASSWD: passwd,
      NSS_WRAPPER_GROUP: '/etc/group',
    };
  }
}

/** Removes the file of `nameUser` again: a server needs no name. */
export function removeName(folder: string): Promise<void> {
  return rm(passwdIn(folder), { force: true });
}

const passwdIn = (folder: string) => join(folder, 'passwd');

/** Whether a user can enter a folder, tested by doing it: modes do not show ACLs and mounts. */
export async function canUse(folder: string, runAs: RunAs): Promise<boolean> {
  return run('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], runAs).then(
    () => true,
    () => false,
  );
}
