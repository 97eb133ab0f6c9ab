import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

export type CloseStep = { name: string; close: () => Promise<unknown>; withinMs?: number };

/**
 * Closes one after the other. A step that fails or takes too long is warned of and left behind, so
 * that the ones after it, the database among them, are closed all the same.
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
    const patience = sleep(withinMs, false, { ref: false });
    if (!(await Promise.race([ended, patience]))) log.warn(`closing the ${name} took too long`);
  }
}
