import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The program as a user runs it. */
export const binParley = fileURLToPath(new URL('../../bin/parley', import.meta.url));

/** Starts `bin/parley`, for tests that write to it, read from it or interrupt it. */
export function spawnParley(
  args: string[],
  environment: NodeJS.ProcessEnv = process.env,
): ChildProcessWithoutNullStreams {
  return spawn(binParley, args, { env: environment });
}

/** Runs `bin/parley` and returns its output. If it fails, throws an error with `code`, `stdout` and `stderr`. */
export function runParley(args: string[], environment: NodeJS.ProcessEnv = process.env) {
  return promisify(execFile)(binParley, args, { env: environment });
}
