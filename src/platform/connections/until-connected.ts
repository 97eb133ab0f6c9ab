import { setTimeout as sleep } from 'node:timers/promises';
import { isWithoutConnection } from '../database/failures/no-connection.ts';

const pauseMs = 500;
/** How long the caller waits, from the first failure on. */
const patienceMs = 10_000;
const giveUpAfterMs = 600_000;

/**
 * Runs `work`, and repeats it while the database has no connection for it. After ten seconds the caller gets the
 * error, but the attempts continue in the background for ten minutes.
 *
 * @param mayRepeatAfter further errors after which `work` may be repeated
 */
export function untilConnected<Result>(
  work: () => Promise<Result>,
  mayRepeatAfter: (error: unknown) => boolean = () => false,
): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  let failedAt: number | undefined;

  async function run(): Promise<void> {
    for (;;) {
      try {
        return resolve(await work());
      } catch (error) {
        failedAt ??= performance.now();
        const passedMs = performance.now() - failedAt;
        const repeats = isWithoutConnection(error) || mayRepeatAfter(error);
        if (!repeats || passedMs > patienceMs) reject(error);
        if (!repeats || passedMs > giveUpAfterMs) return;
      }
      await sleep(pauseMs, undefined, { ref: false });
    }
  }

  void run();
  return promise;
}
