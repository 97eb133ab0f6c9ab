import type pg from 'pg';
import type { Services } from '../services.ts';
import { deleteTenant } from '../tenants/delete-tenant.ts';
import { findMove, findTenantId, type Move } from './move-queries.ts';
import { MoveRefused } from './move-session.ts';

/** Finds a copy in a cell that is not used yet. */
export async function findCopy(there: pg.ClientBase, slug: string): Promise<Move | undefined> {
  const move = await findMove(there, slug);
  return move?.state === 'arriving' || move?.state === 'arrived' ? move : undefined;
}

/**
 * Deletes the copy that an ended move left behind. It was never used.
 *
 * @param from the cell that the copy must have come from
 * @throws MoveRefused if the cell has another tenant with this slug
 */
export async function removeCopy(
  { db, config }: Services,
  there: pg.ClientBase,
  { slug, from }: { slug: string; from: string },
): Promise<void> {
  const copy = await findCopy(there, slug);
  if (copy?.other_cell === from) await deleteTenant(db, copy.tenant_id);
  else if ((await findTenantId(there, slug)) !== undefined) {
    throw new MoveRefused(`${config.cell} has a tenant "${slug}" already.`);
  }
}
