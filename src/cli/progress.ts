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
    format: total === undefined ? `{value} ${what} so far` : '{bar} {percentage} %{left}',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
  });
  const startedMs = performance.now();
  bar.start(total ?? 0, 0, { left: '' });
  return {
    update(done) {
      if (total === undefined) return bar.update(done);
      // There may be more by now than there were at the start.
      const share = done < total ? done / total : 1;
      bar.update(Math.min(done, total), { left: timeLeft(performance.now() - startedMs, share) });
    },
    stop: () => bar.stop(),
  };
}

/**
 * By what was done from the start on: the bar's own guess takes the last steps alone, and knows nothing where
 * those come in bursts.
 *
 * @param share of the whole, from 0 to 1
 */
export function timeLeft(elapsedMs: number, share: number): string {
  if (share === 0 || share === 1) return '';
  const seconds = Math.ceil((elapsedMs / 1_000 / share) * (1 - share));
  if (seconds < 60) return `, ${seconds} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60
    ? `, ${minutes} min left`
    : `, ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}
