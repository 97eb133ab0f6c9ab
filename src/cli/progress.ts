import { SingleBar } from 'cli-progress';

export type Progress = { update(done: number): void; stop(): void };

/**
 * Shows on standard error how far a long work is: a bar where its end is known, else how much is done. On
 * a terminal only; in a log file it is noise.
 *
 * @param total of whatever `update` counts; undefined when nobody knows it before the end
 * @param what is counted, where the end is not known
 */
export function startProgress(total: number | undefined, what = ''): Progress | undefined {
  if (!process.stderr.isTTY) return undefined;
  const bar = new SingleBar({
    format:
      total === undefined ? `{value} ${what} so far` : '{bar} {percentage} %, {eta_formatted} left',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
  });
  bar.start(total ?? 0, 0);
  return {
    // There may be more by now than there were at the start.
    update: (done) => bar.update(total === undefined ? done : Math.min(done, total)),
    stop: () => bar.stop(),
  };
}
