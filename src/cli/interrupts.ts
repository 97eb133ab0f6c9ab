import { longestCloseMs } from './close-on-signal.ts';

/** What ends the process, Ctrl-C or another's word, aborts a signal instead; once is enough. */
export function catchInterrupts() {
  const interruption = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = (signal: NodeJS.Signals) => {
    interruption.abort(signal);
    setTimeout(() => endBy(signal), longestCloseMs).unref();
  };
  const release = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  /** Ends the process as the signal would have, so that a shell knows. */
  const endBy = (signal: NodeJS.Signals) => {
    release();
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return { interrupted: interruption.signal, endBy, release };
}

/** The result of some work, unless it is interrupted first. */
export async function orInterrupted<Result>(
  work: Promise<Result>,
  interrupted: AbortSignal,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  interrupted.addEventListener('abort', () => reject(new Error('interrupted')));
  return Promise.race([work, promise]);
}

/** Says what has become of some work when that is interrupted: half of it may be done. */
export async function sayingIfInterrupted<Result>(
  interrupted: AbortSignal,
  words: string,
  work: Promise<Result>,
): Promise<Result> {
  const say = () => process.stderr.write(`${words}\n`);
  interrupted.addEventListener('abort', say);
  return work.finally(() => interrupted.removeEventListener('abort', say));
}
