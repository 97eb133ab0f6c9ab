import { recordAudit } from '../audit/record-audit.ts';
import { changeState, deleteMove, isArriving, type Move, type MoveState } from './move-queries.ts';
import { type Cells, findRouted, MoveRefused, type MoveSession, withMove } from './move-session.ts';
import { removeCopy } from './remove-copy.ts';

/**
 * Cancels a move that has not been decided yet: the tenant goes on in this cell, and its copy is deleted.
 *
 * @throws MoveRefused if the tenant does not move to this cell, or has moved
 */
export async function cancelMove(cells: Cells, slug: string): Promise<void> {
  await withMove(cells, slug, async (session) => {
    const { move } = session;
    if (!move) throw new MoveRefused(`${slug} is not being moved.`);
    if (isArriving(move)) {
      throw new MoveRefused(
        `${slug} is arriving from ${move.other_cell}. Cancel the move in that cell.`,
      );
    }
    if (move.other_cell !== cells.there.config.cell) {
      throw new MoveRefused(`${slug} is on its way to another cell, ${move.other_cell}.`);
    }
    if (move.state === 'moved') {
      throw new MoveRefused(
        `${slug} has moved to ${move.other_cell}. To bring it back, confirm the move and move it from there.`,
      );
    }
    await cancelHeld(cells, session, move);
  });
}

/** Goes back to before the move. If the process dies on the way, it can be repeated. */
export async function cancelHeld(cells: Cells, session: MoveSession, { id }: Move): Promise<void> {
  const { here, proxy } = cells;
  const { hereDb, slug, tenantId } = session;
  const from: MoveState[] = ['copying', 'held', 'cancelling'];
  if (!(await changeState(hereDb, tenantId, { id, from, to: 'cancelling' }))) {
    throw new MoveRefused(`The move of ${slug} has ended meanwhile.`);
  }
  await removeCopy(cells, session);
  // Requests that wait in the proxy come back while the tenant still refuses them, and try again.
  await recordAudit(hereDb, tenantId, { action: 'tenant.move_cancelled' });
  await deleteMove(hereDb, tenantId, id);
  await proxy.route(await findRouted(session), here.config.cell);
}
