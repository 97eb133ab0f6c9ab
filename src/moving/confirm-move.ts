import { forgetSharedFiles } from '../media/transfer/forget-shared-files.ts';
import { deleteTenant } from '../tenants/delete-tenant.ts';
import { findTenantId } from './move-queries.ts';
import { type Cells, MoveRefused, withMove } from './move-session.ts';
import { findCopy } from './remove-copy.ts';

/**
 * Deletes the old copy of a tenant that has moved.
 *
 * @throws MoveRefused if the other cell does not serve the tenant
 */
export async function confirmMove(cells: Cells, slug: string): Promise<void> {
  await withMove(cells, slug, async ({ here, there, tenantId, move }) => {
    const newId = await findTenantId(there, slug);
    if (move?.state !== 'moved' || newId === undefined || (await findCopy(there, slug))) {
      throw new MoveRefused(`${slug} has not moved yet. Finish the move first.`);
    }
    await forgetSharedFiles(cells, here, { tenantId, otherId: newId });
    await deleteTenant(cells.source.db, tenantId);
  });
}
