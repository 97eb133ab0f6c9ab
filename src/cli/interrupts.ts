import { maxCloseMs } from './close-on-signal.ts';

/** Turns the first SIGINT, SIGTERM or SIGHUP into an abort signal instead of ending the process. */
export function catchInterrupts() {
  const interruption = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = (signal: NodeJS.Signals) => {
    interruption.abort(signal);
    setTimeout(() => endBy(signal), maxCloseMs).unref();
  };
  const release = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  /** Ends the process as the signal would have, so that the shell sees it. */
  const endBy = (signal: NodeJS.Signals) => {
    release();
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return { interrupted: interruption.signal, endBy, release };
}

/** Waits for some work unless it is interrupted first. */
export async function orInterrupted<Result>(
  work: Promise<Result>,
  interrupted: AbortSignal,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  interrupted.addEventListener('abort', () => reject(new Error('interrupted')));
  return Promise.race([work, promise]);
}

/** Prints a message if some work is interrupted, because half of it may be done. */
export async function withInterruptMessage<Result>(
  interrupted: AbortSignal,
  message: string,
  work: Promise<Result>,
): Promise<Result> {
  const print = () => process.stderr.write(`${message}\n`);
  interrupted.addEventListener('abort', print);
  return work.finally(() => interrupted.removeEventListener('abort', print));
}
