import { forgetSharedFiles } from '../media/transfer/forget-shared-files.ts';
import type { Db } from '../platform/database/database.ts';
import { deleteTenant } from '../tenants/delete-tenant.ts';
import { findMove, findTenantId, isArriving, type Move } from './move-queries.ts';
import { type Cells, MoveRefused, type MoveSession } from './move-session.ts';

/** Finds a copy in a cell that is not used yet. */
export async function findCopy(thereDb: Db, slug: string): Promise<Move | undefined> {
  const move = await findMove(thereDb, slug);
  return move && isArriving(move) ? move : undefined;
}

/**
 * Deletes the copy that an interrupted or cancelled move left behind. It was never used.
 *
 * @throws MoveRefused if the cell has another tenant with this slug
 */
export async function removeCopy(
  { here, there }: Cells,
  { thereDb, slug, tenantId }: MoveSession,
): Promise<void> {
  const copy = await findCopy(thereDb, slug);
  if (copy?.other_cell === here.config.cell) {
    await forgetSharedFiles({ cell: there, other: here }, thereDb, {
      tenantId: copy.tenant_id,
      otherId: tenantId,
    });
    await deleteTenant(there.db, copy.tenant_id);
  } else if ((await findTenantId(thereDb, slug)) !== undefined) {
    throw new MoveRefused(`${there.config.cell} has a tenant "${slug}" already.`);
  }
}
