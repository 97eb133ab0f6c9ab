import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** How long a program may take to exit after SIGTERM. */
const stopWithinMs = 15_000;

export type Forked = {
  child: ChildProcess;
  /** Sends a message and waits for the next one from the program. */
  ask<Reply>(message: unknown): Promise<Reply>;
  stop(): Promise<void>;
};

/** Forks a program of this folder and waits for its first message. */
export async function forkProgram<First>(
  file: string,
  {
    environment = {},
    flags = [],
    first,
    output = 'ignore',
  }: {
    environment?: Record<string, string>;
    flags?: string[];
    /** Sent immediately, for programs that wait for their task. */
    first?: unknown;
    /** A file descriptor for the program's log. */
    output?: number | 'ignore';
  } = {},
): Promise<Forked & { first: First }> {
  const child = fork(new URL(file, import.meta.url), {
    env: { ...process.env, ...environment },
    execArgv: flags,
    stdio: ['ignore', output, output === 'ignore' ? 'inherit' : output, 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  ended.catch(() => {});
  const next = async () => (await Promise.race([once(child, 'message'), ended]))[0];
  if (first !== undefined) child.send(first as object);
  return {
    child,
    first: (await next()) as First,
    async ask<Reply>(message: unknown) {
      const response = next();
      child.send(message as object);
      return (await response) as Reply;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      // A process whose event loop is blocked does not handle the signal.
      const killing = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
      await exited;
      clearTimeout(killing);
    },
  };
}
