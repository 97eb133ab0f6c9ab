import { SingleBar } from 'cli-progress';

export type Progress = { update(done: number): void; stop(): void };

/**
 * Shows the progress of long work on standard error: a bar if the total is known, otherwise a count. Only on
 * a terminal, because it would be noise in a log file.
 *
 * @param total in the units of `update`; undefined if it is not known in advance
 * @param what the units, shown if the total is unknown
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
      // The total may have grown since the start.
      const share = done < total ? done / total : 1;
      bar.update(Math.min(done, total), { left: timeLeft(performance.now() - startedMs, share) });
    },
    stop: () => bar.stop(),
  };
}

/**
 * Estimates the time left from all work so far. The bar's own estimate uses only the last steps, and fails if
 * those come in bursts.
 *
 * @param share of the total, from 0 to 1
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
