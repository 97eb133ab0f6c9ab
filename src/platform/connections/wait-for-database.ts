import { setTimeout as sleep } from 'node:timers/promises';
import { isWithoutConnection } from '../database/failures/no-connection.ts';
import { DatabaseAway } from './check-database.ts';

const retryEveryMs = 500;

/**
 * Runs `work` until the database can be used. It may be starting, or its address may still lead to a standby, as
 * after a power cut of all machines, or it may have no connection left. What does not pass, such as a wrong
 * password, is thrown immediately.
 *
 * @param onWait called once, with the reason
 * @throws the last error, after `withinMs`
 */
export async function waitForDatabase<Result>(
  work: () => Promise<Result>,
  withinMs: number,
  onWait: (error: Error) => void,
): Promise<Result> {
  const until = performance.now() + withinMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const mayPass = error instanceof DatabaseAway || isWithoutConnection(error);
      if (!mayPass || performance.now() >= until) throw error;
      if (attempt === 1) onWait(error as Error);
      await sleep(Math.min(retryEveryMs, until - performance.now()));
    }
  }
}
