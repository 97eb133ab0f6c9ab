import { randomInt } from 'node:crypto';
import type { Db } from '../platform/database/database.ts';
import type { Services } from '../services.ts';
import { cancelHeld } from './cancel-move.ts';
import { checkFolders } from './check-folders.ts';
import { type Copied, copyTenant, type OnRows } from './copy-tenant.ts';
import { holdTenant } from './hold-tenant.ts';
import {
  changeState,
  endMove,
  findMove,
  findTenantId,
  isArriving,
  listTenantAddresses,
  type Move,
  startMove,
} from './move-queries.ts';
import { type Cells, MoveRefused, withMove } from './move-session.ts';
import { findCopy, removeCopy } from './remove-copy.ts';

/** The steps of a move, in this order. It can go on after each. */
export type MoveStep = 'copying' | 'held' | 'copied' | 'moved' | 'serving' | 'routed';

export type Moved = {
  /** How long writes of the tenant were refused; undefined if an earlier attempt refused them first. */
  heldMs: number | undefined;
  /** The rows that this attempt copied. */
  copied: Copied | undefined;
};

/**
 * Moves a tenant to another cell, or goes on with a move that was ended. Until the state is `moved`, the tenant is in
 * this cell, and the move can be cancelled. From then on it is in the other one.
 *
 * @param withoutFiles whether kept files stay behind
 * @param onStep is called after each step
 * @param onRows is called while rows are copied and the tenant serves
 * @throws MoveRefused if the tenant cannot move. It still serves here, or is held until the move is cancelled
 */
export async function moveTenant(
  cells: Cells,
  given: {
    slug: string;
    withoutFiles?: boolean;
    onStep?: (step: MoveStep) => void;
    onRows?: OnRows;
  },
): Promise<Moved> {
  const { slug, onStep = () => {}, onRows } = given;
  return withMove(cells, slug, async ({ hereDb, thereDb, tenantId, move: found }) => {
    const { here, there, proxy } = cells;
    let heldAt: number | undefined;
    let copied: Copied | undefined;
    if (found) refuseOther(found, there);
    if (found?.state === 'cancelling') {
      await cancelHeld(cells, { slug, hereDb, thereDb, move: found });
    }
    let move = found;
    // Read each time, because numbers and stores are added while the tenant is copied.
    const routed = async () => ({ slug, addresses: await listTenantAddresses(hereDb, tenantId) });
    if (move?.state === 'moved') {
      await refuseMovedOn(thereDb, slug, there);
    } else {
      await proxy.check();
      if (!(move?.state === 'held' && (await hasArrived(thereDb, slug, move.id)))) {
        const { withoutFiles = false } = given;
        if (!withoutFiles) await checkFolders(cells, hereDb, tenantId);
        await removeCopy(cells, thereDb, { slug, tenantId });
        const id = randomInt(1, 2 ** 31 - 1);
        await startMove(hereDb, tenantId, { id, otherCell: there.config.cell });
        move = (await findMove(hereDb, slug))!;
        // An earlier attempt may have told the proxy to hold requests.
        if (found) await proxy.route(await routed(), here.config.cell);
        onStep('copying');
        const begun = move;
        const hold = async () => {
          heldAt = await holdTenant(hereDb, begun, async () => proxy.hold(await routed()));
          onStep('held');
        };
        copied = await copyTenant(cells, { tenantId, moveId: id, withoutFiles, hold, onRows });
        onStep('copied');
      }
      await giveAway(hereDb, move!.tenant_id, move!.id);
      onStep('moved');
    }
    const copy = await findCopy(thereDb, slug);
    if (copy) await endMove(thereDb, copy.tenant_id, copy.id);
    const heldMs = heldAt === undefined ? undefined : performance.now() - heldAt;
    onStep('serving');
    await proxy.route(await routed(), there.config.cell);
    onStep('routed');
    return { heldMs, copied };
  });
}

async function hasArrived(thereDb: Db, slug: string, id: number): Promise<boolean> {
  const copy = await findCopy(thereDb, slug);
  return copy?.state === 'arrived' && copy.id === id;
}

/** The only step that decides where the tenant is: from here on, it is in the other cell. */
async function giveAway(hereDb: Db, tenantId: number, id: number): Promise<void> {
  if (await changeState(hereDb, tenantId, { id, from: ['held'], to: 'moved' })) return;
  throw new MoveRefused('The move was cancelled meanwhile.');
}

/** @throws MoveRefused if an ended move gave the tenant to a cell that has given it away or deleted it since */
async function refuseMovedOn(thereDb: Db, slug: string, { config }: Services) {
  const next = await findMove(thereDb, slug);
  const isThere = (await findTenantId(thereDb, slug)) !== undefined;
  if (isThere && next?.state !== 'moved') return;
  const where = isThere ? `to ${next?.other_cell}` : 'or was deleted there';
  throw new MoveRefused(`${slug} has moved on from ${config.cell}, ${where}. Confirm this move.`);
}

function refuseOther(move: Move, { config }: Services): void {
  if (isArriving(move)) {
    throw new MoveRefused(
      `The tenant is arriving from ${move.other_cell}. Go on with the move in that cell.`,
    );
  }
  if (move.other_cell === config.cell) return;
  const advice = move.state === 'moved' ? 'Confirm that move' : 'Finish or cancel that move';
  throw new MoveRefused(`The tenant is on its way to ${move.other_cell}. ${advice} first.`);
}
