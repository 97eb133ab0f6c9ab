import { forgetSharedFiles } from '../media/transfer/forget-shared-files.ts';
import { deleteTenant } from '../tenants/delete-tenant.ts';
import { findTenantId } from './move-queries.ts';
import { type Cells, MoveRefused, withMove } from './move-session.ts';
import { findCopy } from './remove-copy.ts';

/**
 * Deletes the old copy of a tenant that has moved. The other cell may have moved or deleted it since.
 *
 * @returns whether the other cell has the tenant
 * @throws MoveRefused if the move is not finished
 */
export async function confirmMove(cells: Cells, slug: string): Promise<boolean> {
  const { here, there } = cells;
  return withMove(cells, slug, async ({ hereDb, thereDb, tenantId, move }) => {
    const isMoved = move?.state === 'moved' && move.other_cell === there.config.cell;
    if (!isMoved || (await findCopy(thereDb, slug))) {
      throw new MoveRefused(`${slug} has not moved yet. Finish the move first.`);
    }
    const otherId = await findTenantId(thereDb, slug);
    await forgetSharedFiles({ cell: here, other: there }, hereDb, { tenantId, otherId });
    await deleteTenant(here.db, tenantId);
    return otherId !== undefined;
  });
}
