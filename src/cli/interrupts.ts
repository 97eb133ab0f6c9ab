import { setTimeout as sleep } from 'node:timers/promises';
import { maxCloseMs } from './close-on-signal.ts';

/**
 * Turns the first SIGINT, SIGTERM or SIGHUP into an abort signal instead of ending the process.
 *
 * @returns the signal, and `end`, which a command calls when everything is closed: after an interrupt, it waits a moment
 *   for the work that was given up, and ends the process
 */
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
  const { signal: interrupted } = interruption;
  const end = async (working: Promise<unknown>) => {
    if (interrupted.aborted) {
      // Without a database the work ends, unless it waits for something else.
      await Promise.race([working.catch(() => {}), sleep(1_000)]);
      endBy(interrupted.reason);
    }
    release();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return { interrupted, end };
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

/**
 * Prints a message if some work is interrupted, because half of it may be done.
 *
 * @param message or a function that says how far the work is
 */
export async function withInterruptMessage<Result>(
  interrupted: AbortSignal,
  message: string | (() => string),
  work: Promise<Result>,
): Promise<Result> {
  const print = () =>
    process.stderr.write(`${typeof message === 'string' ? message : message()}\n`);
  interrupted.addEventListener('abort', print);
  return work.finally(() => interrupted.removeEventListener('abort', print));
}
