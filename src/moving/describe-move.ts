import type { Db } from '../platform/database/database.ts';
import { findMove, type Move, type MoveState } from './move-queries.ts';

const texts: Record<MoveState, (cell: string) => string> = {
  copying: (cell) => `the tenant serves here, and is being copied to ${cell}`,
  held: (cell) => `its writes are refused, and the rest is being copied to ${cell}`,
  cancelling: () => 'the tenant stays here, and its copy is being deleted',
  moved: (cell) => `the tenant is in ${cell}; here is its old copy`,
  arriving: (cell) => `the tenant is being copied from ${cell}, and is not used here yet`,
  arrived: (cell) => `the copy from ${cell} is complete, and is not used yet`,
};

/** Describes the move of a tenant as its row in this cell says; undefined if there is none. */
export async function describeMove(
  db: Db,
  slug: string,
): Promise<(Pick<Move, 'state' | 'other_cell' | 'held_ms'> & { text: string }) | undefined> {
  const move = await findMove(db, slug);
  if (!move) return undefined;
  const { state, other_cell, held_ms } = move;
  return { state, other_cell, held_ms, text: texts[state](other_cell) };
}
