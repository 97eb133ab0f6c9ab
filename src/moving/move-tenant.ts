import { randomInt } from 'node:crypto';
import { type AuditChange, recordAudit } from '../audit/record-audit.ts';
import type { Db } from '../platform/database/database.ts';
import type { Services } from '../services.ts';
import { cancelHeld } from './cancel-move.ts';
import { checkFolders } from './check-folders.ts';
import { checkSchemas } from './check-schemas.ts';
import type { Copied } from './copying/copy-held.ts';
import { copyTenant, type OnRows } from './copying/copy-tenant.ts';
import { holdTenant, untilSettled } from './holding/hold-tenant.ts';
import {
  changeState,
  deleteMove,
  findMove,
  findTenantId,
  isArriving,
  type Move,
  startMove,
} from './move-queries.ts';
import { type Cells, findRouted, MoveRefused, type MoveSession, withMove } from './move-session.ts';
import { findCopy, removeCopy } from './remove-copy.ts';

/** The steps of a move, in this order. It can go on after each. */
export type MoveStep = 'copying' | 'held' | 'copied' | 'moved' | 'serving' | 'routed';

export type Moved = {
  /** How long writes of the tenant were refused; undefined if an earlier attempt refused them first. */
  heldMs: number | undefined;
  /** The rows that this attempt copied. */
  copied: Copied | undefined;
};

type MoveOptions = {
  slug: string;
  withoutFiles?: boolean;
  onStep?: (step: MoveStep) => void;
  onRows?: OnRows;
};

/** The copy of a move, and what is known of it if this attempt made it. */
type CompleteCopy = { id: number; heldAt: number | undefined; copied: Copied | undefined };

/**
 * Moves a tenant to another cell, or continues an interrupted move. Until the state is `moved`, the tenant is in this
 * cell, and the move can be cancelled. From then on it is in the other one.
 *
 * @param withoutFiles whether kept files stay behind
 * @param onStep is called after each step
 * @param onRows is called while rows are copied and the tenant serves
 * @throws MoveRefused if the tenant cannot move. It still serves here, or is held until the move is cancelled
 */
export async function moveTenant(cells: Cells, given: MoveOptions): Promise<Moved> {
  return withMove(cells, given.slug, async (session) => {
    const { hereDb, thereDb, slug, tenantId, move } = session;
    const { there, proxy } = cells;
    if (move) refuseOther(move, there);
    if (move?.state === 'cancelling') await cancelHeld(cells, session, move);
    let copy: CompleteCopy | undefined;
    if (move?.state === 'moved') {
      await refuseMovedOn(thereDb, slug, there);
    } else {
      await proxy.check();
      copy = (await findComplete(session)) ?? (await copyThere(cells, session, given));
      await decideMove(hereDb, tenantId, copy.id);
      given.onStep?.('moved');
    }
    const arrival = await findCopy(thereDb, slug);
    if (arrival) {
      // First, so that no move is without its entry if this process dies.
      const { tenant_id: arrivedId, id } = arrival;
      await recordAudit(thereDb, arrivedId, { action: 'tenant.moved', changes: cellsOf(cells) });
      await deleteMove(thereDb, arrivedId, id);
    }
    const heldMs = copy?.heldAt === undefined ? undefined : performance.now() - copy.heldAt;
    given.onStep?.('serving');
    await proxy.route(await findRouted(session), there.config.cell);
    given.onStep?.('routed');
    return { heldMs, copied: copy?.copied };
  });
}

/** The move in the audit log. */
function cellsOf({ here, there }: Cells): AuditChange[] {
  return [{ field: 'cell', before: here.config.cell, after: there.config.cell }];
}

/** Finds the copy of an earlier attempt, if the tenant is still held since. */
async function findComplete(session: MoveSession): Promise<CompleteCopy | undefined> {
  const { thereDb, slug, move } = session;
  if (move?.state !== 'held') return undefined;
  const copy = await findCopy(thereDb, slug);
  if (copy?.state !== 'arrived' || copy.id !== move.id) return undefined;
  return { id: copy.id, heldAt: undefined, copied: undefined };
}

/** Copies the tenant, and holds it for the last part. */
async function copyThere(
  cells: Cells,
  session: MoveSession,
  { withoutFiles = false, onStep, onRows }: MoveOptions,
): Promise<CompleteCopy> {
  const { here, there, proxy } = cells;
  const { hereDb, tenantId } = session;
  await checkSchemas(cells, session);
  if (!withoutFiles) await checkFolders(cells, session);
  await removeCopy(cells, session);
  const id = randomInt(1, 2 ** 31 - 1);
  await recordAudit(hereDb, tenantId, { action: 'tenant.moving', changes: cellsOf(cells) });
  await startMove(hereDb, tenantId, { id, otherCell: there.config.cell });
  // An earlier attempt may have left the proxy holding requests.
  if (session.move) await proxy.route(await findRouted(session), here.config.cell);
  onStep?.('copying');
  let heldAt: number | undefined;
  const hold = async () => {
    const holdProxy = async () => proxy.hold(await findRouted(session));
    heldAt = await holdTenant(hereDb, { tenant_id: tenantId, id }, holdProxy);
    onStep?.('held');
  };
  const settle = () => untilSettled(hereDb, { tenant_id: tenantId, id });
  const given = { tenantId, moveId: id, withoutFiles, settle, hold, onRows };
  const copied = await copyTenant(cells, given);
  onStep?.('copied');
  return { id, heldAt, copied };
}

/** The only step that decides where the tenant is: from here on, it is in the other cell. */
async function decideMove(hereDb: Db, tenantId: number, id: number): Promise<void> {
  if (await changeState(hereDb, tenantId, { id, from: ['held'], to: 'moved' })) return;
  throw new MoveRefused('The move was cancelled meanwhile.');
}

/** @throws MoveRefused if the other cell has moved or deleted the tenant since */
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
