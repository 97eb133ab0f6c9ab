import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';

export type CloseStep = { name: string; close: () => Promise<unknown>; withinMs?: number };

/**
 * Closes resources one after the other. If a step fails or times out, this is logged and the next step runs,
 * so that the database is closed in any case.
 */
export async function closeInOrder(steps: CloseStep[], log: Log): Promise<void> {
  for (const { name, close, withinMs = 1_000 } of steps) {
    const ended = close().then(
      () => true,
      (err) => {
        log.warn({ err }, `closing the ${name} failed`);
        return true;
      },
    );
    const timedOut = sleep(withinMs, false, { ref: false });
    if (!(await Promise.race([ended, timedOut]))) log.warn(`closing the ${name} took too long`);
  }
}
