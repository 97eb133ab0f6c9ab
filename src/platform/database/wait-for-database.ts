import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseAway } from './check-database.ts';

const retryEveryMs = 500;

/**
 * Runs `check` until the database can be used. It may be starting, or its address may still lead to a standby, as
 * after a power cut of all machines. What does not pass, such as a wrong password, is thrown immediately.
 *
 * @param onWait called once, with the reason
 * @throws the last error, after `withinMs`
 */
export async function waitForDatabase(
  check: () => Promise<void>,
  withinMs: number,
  onWait: (error: Error) => void,
): Promise<void> {
  const until = performance.now() + withinMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await check();
    } catch (error) {
      if (!(error instanceof DatabaseAway) || performance.now() >= until) throw error;
      if (attempt === 1) onWait(error);
      await sleep(Math.min(retryEveryMs, until - performance.now()));
    }
  }
}
