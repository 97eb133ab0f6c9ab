import { walkMessages } from '../messages/walk-messages.ts';
import type { Database } from '../platform/database/database.ts';
import { addOutcomes } from './roll-up-queries.ts';

/** Longer than the minute in which a change of a message leaves no row behind (migration 0005). */
const settledAfterMs = 90_000;

/**
 * Adds the messages that have settled since the last run, and the changes of those counted before, to the
 * outcomes of their days. Any number of processes may call this; only one runs at a time.
 */
export async function rollUpMessages(
  db: Database,
  {
    settleMs = settledAfterMs,
    isStopping = () => false,
  }: { settleMs?: number; isStopping?: () => boolean } = {},
): Promise<void> {
  while (!isStopping() && (await walkMessages(db, 'outcomes', settleMs, addOutcomes)));
}
