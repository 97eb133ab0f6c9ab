import { randomInt } from 'node:crypto';
import { changeState, findMove, findTenantId, startMove } from './move-queries.ts';
import { type Cells, MoveRefused, withMove } from './move-session.ts';
import { findCopy } from './remove-copy.ts';

/**
 * Records that a tenant has moved to another cell, if this cell does not know it: it was brought back to a time
 * before the move. From then on, the tenant here is an old copy.
 *
 * @throws MoveRefused if the other cell does not serve this tenant
 */
export async function markMoved(cells: Cells, slug: string): Promise<void> {
  const other = cells.there.config.cell;
  await withMove(cells, slug, async ({ hereDb, thereDb, tenantId, move }) => {
    const isLeaving = move?.state === 'copying' || move?.state === 'held';
    if (move && !isLeaving && move.state !== 'cancelling') {
      throw new MoveRefused(
        `The move of ${slug} is known here: ${move.state}, ${move.other_cell}.`,
      );
    }
    // Another tenant can have the same slug, but not the same id.
    const isThere = (await findTenantId(thereDb, slug)) === tenantId;
    const next = await findMove(thereDb, slug);
    if (!isThere || next?.state === 'moved' || (await findCopy(thereDb, slug))) {
      throw new MoveRefused(`${other} does not serve this tenant.`);
    }
    const id = randomInt(1, 2 ** 31 - 1);
    await startMove(hereDb, tenantId, { id, otherCell: other });
    await changeState(hereDb, tenantId, { id, from: ['copying'], to: 'held' });
    await changeState(hereDb, tenantId, { id, from: ['held'], to: 'moved' });
  });
}
