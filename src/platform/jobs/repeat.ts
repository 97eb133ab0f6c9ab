import type { Database } from '../database/database.ts';
import type { Log } from '../log.ts';
import { logFailure } from '../log-failure.ts';
import type { Metrics } from '../metrics.ts';

/**
 * Runs `work` repeatedly until stopped, with a pause of `everyMs` after each run. Long work checks
 * `isStopping` between its steps.
 */
export function repeat(
  name: string,
  everyMs: number,
  services: { db: Database; log: Log; metrics: Metrics },
  work: (isStopping: () => boolean) => Promise<void>,
): () => Promise<void> {
  const { db, metrics } = services;
  metrics.workerRuns.setToCurrentTime({ worker: name });
  metrics.workerFailures.inc({ worker: name }, 0);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let underWay = run();

  async function run() {
    try {
      await work(() => stopped);
      metrics.workerRuns.setToCurrentTime({ worker: name });
    } catch (err) {
      logFailure(services, err, `${name} failed`);
      // The loss of the database has an alert of its own, and fails every job.
      if (!db.isLost()) metrics.workerFailures.inc({ worker: name });
    }
    if (stopped) return;
    timer = setTimeout(() => {
      underWay = run();
    }, everyMs);
  }
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await underWay;
  };
}
