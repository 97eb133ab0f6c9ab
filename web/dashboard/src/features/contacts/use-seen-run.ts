import { useState } from 'react';

type Run = { id: number; state: string };

/**
 * Follows the latest run of a job. Its result is shown only to people who saw it run.
 *
 * @param runs the latest one first
 * @returns what is shown of it, if anything, and the function that closes its result
 */
export function useSeenRun<Each extends Run>(runs: readonly Each[] | undefined) {
  const [seen, setSeen] = useState<number>();
  const latest = runs?.[0];
  const isRunning = latest?.state === 'running';
  if (isRunning && seen !== latest.id) setSeen(latest.id);
  const isShown = isRunning || (latest && seen === latest.id);
  return { run: isShown ? latest : undefined, isRunning, close: () => setSeen(undefined) };
}
