import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export type ForkedService = {
  /** Of a real listener with TLS, once it listens. */
  url: Promise<string>;
  /** Kills the process with SIGKILL, as a power cut would: nothing is finished or logged. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
};

/** Starts the whole service in its own process. Benchmarks use it too, outside of any test. */
export function forkService(environment: Record<string, string>): ForkedService {
  const child = fork(new URL('service-main.ts', import.meta.url), {
    env: { ...process.env, PARLEY_PORT: '0', ...environment },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return {
    url: nextMessage<{ url: string }>(child).then(({ url }) => url),
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
    },
  };
}

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: ended.signal }).then(([message]) => message as Message),
      once(child, 'exit', { signal: ended.signal }).then(([code]) => {
        throw new Error(`the service ended with ${code}`);
      }),
    ]);
  } finally {
    ended.abort();
  }
}
