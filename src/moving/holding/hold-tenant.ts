import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/database/database.ts';
import {
  changeState,
  countLongWork,
  countWriters,
  type Move,
  type Writers,
} from '../move-queries.ts';
import { MoveRefused } from '../move-session.ts';

/** Longer than a send, a call of a webhook or a bulk change of a usual size. */
const defaultMaxWaitMs = 60_000;
const lookEveryMs = 100;
/** Checks in a row that must find nothing. A process that lost its connection for a moment shows nothing. */
const quietLooks = 5;

const longWork = 'imports, bulk changes of contacts or other commands are running';
const stillWorks = (what: string) => `The tenant still works: ${what}.`;

/**
 * Waits until no import, bulk change of contacts or command changes a tenant.
 *
 * @throws MoveRefused if one runs for too long
 */
export async function untilSettled(
  hereDb: Db,
  move: Pick<Move, 'tenant_id' | 'id'>,
  maxWaitMs = defaultMaxWaitMs,
): Promise<void> {
  const isAtWork = async () =>
    (await countLongWork(hereDb, move.tenant_id)) > 0 ||
    (await countWriters(hereDb, move)).commands > 0;
  await waitWhile(isAtWork, () => stillWorks(longWork), { looks: 1, maxWaitMs });
}

/**
 * Refuses writes for a tenant in all processes, and waits until those that began earlier have ended.
 *
 * @param holdProxy is called first, so that store posts and callbacks wait instead of being refused
 * @param maxWaitMs how long to wait, before and after the hold begins
 * @returns when the hold began, in milliseconds of `performance.now()`
 * @throws MoveRefused if a process does not stop writing
 */
export async function holdTenant(
  hereDb: Db,
  move: Pick<Move, 'tenant_id' | 'id'>,
  holdProxy: () => Promise<void>,
  maxWaitMs = defaultMaxWaitMs,
): Promise<number> {
  const { tenant_id: tenantId, id } = move;
  await untilSettled(hereDb, move, maxWaitMs);
  // May wait for the end of another move.
  await holdProxy();
  const began = performance.now();
  if (!(await changeState(hereDb, tenantId, { id, from: ['copying'], to: 'held' }))) {
    throw new MoveRefused('The move was cancelled meanwhile.');
  }
  let seen = '';
  const isWritten = async () => {
    seen = describeWriters(await countWriters(hereDb, move));
    return seen !== '' || (await countLongWork(hereDb, tenantId)) > 0;
  };
  await waitWhile(isWritten, () => stillWorks(seen || longWork), { looks: quietLooks, maxWaitMs });
  return began;
}

function describeWriters({ processes, transactions, commands }: Writers): string {
  const parts = [
    processes > 0 &&
      `${processes} processes have not stopped writing (processes of versions that cannot move tenants never do)`,
    transactions > 0 && `${transactions} transactions that began before are still open`,
    commands > 0 && `${commands} commands are running`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

/** Waits until all processes of a cell know that an arriving tenant is not used yet. */
export async function untilKnown(
  thereDb: Db,
  arrival: Pick<Move, 'tenant_id' | 'id'>,
): Promise<void> {
  const isUnknown = async () => (await countWriters(thereDb, arrival)).processes > 0;
  const reason = () => 'Processes of the other cell do not know the move yet.';
  await waitWhile(isUnknown, reason, { looks: 1, maxWaitMs: defaultMaxWaitMs });
}

async function waitWhile(
  isBusy: () => Promise<boolean>,
  reason: () => string,
  { looks, maxWaitMs }: { looks: number; maxWaitMs: number },
): Promise<void> {
  const until = performance.now() + maxWaitMs;
  for (let quiet = 0; ; await sleep(lookEveryMs)) {
    quiet = (await isBusy()) ? 0 : quiet + 1;
    if (quiet >= looks) return;
    if (performance.now() >= until) throw new MoveRefused(reason());
  }
}
