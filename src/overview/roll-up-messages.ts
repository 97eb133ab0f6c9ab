import type { Database, Db } from '../platform/database/database.ts';
import { addOutcomes, lockRollUp, moveNote } from './roll-up-queries.ts';

/** Longer than the minute in which a change of a message adds no row to `message_outcome_changes`. */
const settledAfterMs = 90_000;
/** The maximum of ids that one statement counts. */
const idsAtOnce = 50_000;

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
  while (!isStopping() && (await db.transaction((tx) => step(tx, settleMs))));
}

/** @returns whether there is more to count */
async function step(tx: Db, settleMs: number): Promise<boolean> {
  const state = await lockRollUp(tx);
  if (!state) return false;
  const { rolled_up_to: from, noted_id: noted } = state;
  const to = state.settled ? Math.min(noted, from + idsAtOnce) : from;
  await addOutcomes(tx, from, to);
  await moveNote(tx, settleMs);
  return to > from && to < noted;
}
