import type { Database, Db } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/retry-deadlock.ts';
import type { Log } from '../../platform/log.ts';
import { throttle } from '../../platform/throttle.ts';
import { deleteContacts } from '../queries.ts';
import { findUnknownLabels } from '../writing/refuse-unknown-labels.ts';
import { assignLabels, labelsGiven } from './assign-contacts.ts';
import { endBulk, lockBulk, noteBulkStep, runningBulks, takeMatching } from './bulk-queries.ts';

/** Contacts changed in one transaction: who changes one of them meanwhile waits for its end. */
const changedAtOnce = 250;

/**
 * Goes on with every change of all contacts that pass a filter, some contacts of each at a time.
 * What is done and how far it is commit together: after the death of a process another one goes on
 * where it was, and as many processes as want can do so at once.
 *
 * One that cannot be done is ended as failed and keeps none of the others waiting; one that only
 * found no database goes on when this is called again.
 */
export async function changeAllContacts(
  services: { db: Database; log: Log },
  isStopping: () => boolean = () => false,
): Promise<void> {
  let isMore = true;
  while (isMore && !isStopping()) {
    isMore = false;
    for (const { tenant_id: tenantId, id } of await runningBulks(services.db)) {
      if (isStopping()) return;
      if (await throttle(() => goOn(services, tenantId, id))) isMore = true;
    }
  }
}

/** @returns whether there is more to do, for us and now */
async function goOn(
  { db, log }: { db: Database; log: Log },
  tenantId: number,
  id: number,
): Promise<boolean> {
  try {
    return await retryDeadlock(() => db.transaction((tx) => step(tx, tenantId, id)));
  } catch (err) {
    log.error({ err, tenantId, bulk: id }, 'a change of all contacts broke off');
    if (!comesAgain(err)) return false;
    const problem = 'Something went wrong on our side. What was changed stays.';
    await endBulk(db, tenantId, id, 'failed', problem).catch((lost) =>
      log.error({ err: lost, tenantId, bulk: id }, 'end a change of all contacts'),
    );
    return false;
  }
}

/**
 * Whether another try would end the same: PostgreSQL refused the data or the statement (classes 22,
 * 23 and 42), or the fault is in the program. A lost connection, a full disk or a lock can be better
 * a second later.
 */
function comesAgain(error: unknown): boolean {
  const { code } = error as { code?: string };
  return /^(22|23|42)/.test(code ?? '') || error instanceof TypeError;
}

/** @returns whether there is more to do, for us */
async function step(tx: Db, tenantId: number, id: number): Promise<boolean> {
  const work = await lockBulk(tx, tenantId, id);
  if (!work) return false;
  const { change } = work;
  // A label can be deleted while it is being given.
  if (!('delete' in change) && (await findUnknownLabels(tx, tenantId, labelsGiven(change)))) {
    await endBulk(tx, tenantId, id, 'failed', 'The label was deleted meanwhile.');
    return false;
  }
  const taken = await takeMatching(tx, tenantId, work, changedAtOnce);
  const changed =
    taken.ids.length === 0
      ? 0
      : 'delete' in change
        ? await deleteContacts(tx, tenantId, taken.ids)
        : await assignLabels(tx, tenantId, taken.ids, change);
  await noteBulkStep(tx, tenantId, id, { ...taken, changed });
  return !taken.isLast;
}
