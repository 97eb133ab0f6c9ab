import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { builtProgram, pathInRepository } from './built-program.ts';

/** How long a program may take to exit after SIGTERM. */
const stopWithinMs = 60_000;

export type ForkedProgram<First> = {
  child: ChildProcess;
  /** The first message of the program. It rejects if the program ends before. */
  first: Promise<First>;
  /** Sends a message and waits for the next one from the program. */
  ask<Reply>(message: unknown): Promise<Reply>;
  /** Waits until the program has exited. */
  ended(): Promise<void>;
  /** Stops the program, or kills it with SIGKILL as a power cut would: nothing is finished or logged. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
};

/**
 * Forks a program that sends messages to its parent. It is the only way in which tests, benchmarks and the
 * attack start a file of this repository in a process of its own.
 */
export function forkProgram<First>(
  file: URL,
  {
    environment = {},
    args = [],
    flags = [],
    task,
    output = 'ignore',
  }: {
    environment?: Record<string, string>;
    args?: string[];
    /** Flags of Node.js. */
    flags?: string[];
    /** Sent immediately, for programs that wait for their task. */
    task?: object;
    /** Standard output, or a file descriptor for everything that the program prints. */
    output?: number | 'ignore' | 'inherit';
  } = {},
): ForkedProgram<First> {
  const program = builtProgram(pathInRepository(fileURLToPath(file)));
  const child = fork(program, args, {
    env: { ...process.env, ...environment },
    execArgv: flags,
    stdio: ['ignore', output, typeof output === 'number' ? output : 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const failed = exited.then(([code]) => {
    throw new Error(`${file.pathname} ended with ${code}`);
  });
  failed.catch(() => {});
  const next = async () => (await Promise.race([once(child, 'message'), failed]))[0];
  const first = next();
  // Nobody may wait for it any more when the program is killed.
  first.catch(() => {});
  if (task !== undefined) child.send(task);
  return {
    child,
    first,
    async ask<Reply>(message: unknown) {
      const response = next();
      child.send(message as object);
      return (await response) as Reply;
    },
    async ended() {
      await exited;
    },
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      // A process whose event loop is blocked does not handle the signal.
      const killing = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
      await exited;
      clearTimeout(killing);
    },
  };
}
