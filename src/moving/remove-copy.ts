import type pg from 'pg';
import { forgetSharedFiles } from '../media/transfer/forget-shared-files.ts';
import { deleteTenant } from '../tenants/delete-tenant.ts';
import { findMove, findTenantId, type Move } from './move-queries.ts';
import { type Cells, MoveRefused } from './move-session.ts';

/** Finds a copy in a cell that is not used yet. */
export async function findCopy(there: pg.ClientBase, slug: string): Promise<Move | undefined> {
  const move = await findMove(there, slug);
  return move?.state === 'arriving' || move?.state === 'arrived' ? move : undefined;
}

/**
 * Deletes the copy that an ended move left behind. It was never used.
 *
 * @param tenantId that of the tenant in this cell
 * @throws MoveRefused if the cell has another tenant with this slug
 */
export async function removeCopy(
  { source, target }: Pick<Cells, 'source' | 'target'>,
  there: pg.ClientBase,
  { slug, tenantId }: { slug: string; tenantId: number },
): Promise<void> {
  const copy = await findCopy(there, slug);
  if (copy?.other_cell === source.config.cell) {
    const places = { source: target, target: source };
    await forgetSharedFiles(places, there, { tenantId: copy.tenant_id, otherId: tenantId });
    await deleteTenant(target.db, copy.tenant_id);
  } else if ((await findTenantId(there, slug)) !== undefined) {
    throw new MoveRefused(`${target.config.cell} has a tenant "${slug}" already.`);
  }
}
