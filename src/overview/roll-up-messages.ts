import type { Database, Db } from '../platform/database/database.ts';
import { addOutcomes, lockRollUp, moveNote } from './roll-up-queries.ts';

/** Longer than the minute in which a change of a message leaves no row behind (migration 0012). */
const settledAfterMs = 90_000;
/** Ids counted in one statement. */
const idsAtOnce = 50_000;

/**
 * Counts the messages that have settled since last time into the outcomes of their days, and what
 * changed of those counted before. As many processes as want can ask for it; one at a time does it.
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
