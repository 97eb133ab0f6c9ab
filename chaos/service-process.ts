import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { binParley } from '../test/program/bin-parley.ts';

export type ServiceProcess = {
  url: string;
  child: ChildProcess;
  /** Sends SIGTERM, and waits for its end. */
  stop(): Promise<void>;
};

/** Starts `parley serve`, and waits until it is ready. Its log goes to standard error. */
export async function startServe(environment: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(binParley, ['serve', '--json'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  // If the run fails.
  process.prependOnceListener('exit', () => child.kill('SIGKILL'));
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes('\n')) break;
  }
  if (!printed.includes('\n')) throw new Error('parley serve ended before it was ready');
  return {
    url: JSON.parse(printed).url,
    child,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
