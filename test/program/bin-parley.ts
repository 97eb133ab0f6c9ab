import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { builtProgram } from './built-program.ts';

/** The program as a user runs it. */
export const binParley = fileURLToPath(new URL('../../bin/parley', import.meta.url));

/** The flags of Node.js with which it runs. */
const flags = readFileSync(binParley, 'utf8').match(/(?<= )--[\w-]+=\w+/g) ?? [];

/** Starts the command, for tests that write to it, read from it or interrupt it. */
export function spawnParley(
  args: string[],
  environment: NodeJS.ProcessEnv = process.env,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, words(args), { env: environment });
}

/** Runs the command and returns its output. If it fails, throws an error with `code`, `stdout` and `stderr`. */
export function runParley(args: string[], environment: NodeJS.ProcessEnv = process.env) {
  return promisify(execFile)(process.execPath, words(args), { env: environment });
}

/** The command as a shell's words. */
export function shellParley(): string {
  return [process.execPath, ...words([])].join(' ');
}

function words(args: string[]): string[] {
  return [...flags, builtProgram('src/cli/main.ts'), ...args];
}
