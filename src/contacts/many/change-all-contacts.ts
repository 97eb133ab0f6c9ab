import { throttle } from '../../platform/concurrency/throttle.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { retryDeadlock } from '../../platform/database/failures/retry-deadlock.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { Log } from '../../platform/log.ts';
import { deleteContacts } from '../delete-contacts.ts';
import { findUnknownLabels } from '../writing/faults/refuse-unknown-labels.ts';
import { assignLabels, labelsGiven } from './assign-contacts.ts';
import {
  endBulk,
  isDeletion,
  lockBulk,
  recordBulkStep,
  runningBulks,
  takeMatching,
} from './bulk-queries.ts';

/** Contacts per transaction. Other changes of these contacts wait for its end. */
const chunkSize = 250;

/**
 * Continues all running bulk changes, a chunk of each at a time. Each chunk commits together with the progress, so
 * another process can continue after a crash, and several processes can do this at the same time.
 *
 * A bulk change that cannot succeed is ended as failed and does not delay the others. After a transient error, such
 * as a lost connection, it continues with the next call.
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
      if (await throttle(() => continueBulk(services, tenantId, id))) isMore = true;
    }
  }
}

/** @returns whether this process can continue the bulk change now */
async function continueBulk(
  { db, log }: { db: Database; log: Log },
  tenantId: number,
  id: number,
): Promise<boolean> {
  try {
    return await retryDeadlock(() => db.transaction((tx) => step({ db: tx, log }, tenantId, id)));
  } catch (err) {
    log.error({ err, tenantId, bulk: id }, 'a bulk change failed');
    if (!isPermanent(err)) return false;
    const problem = fault(
      'bulk_failed',
      'Something went wrong on our side. Contacts that were already changed stay so.',
    );
    await endBulk(db, tenantId, id, 'failed', problem).catch((lost) =>
      log.error({ err: lost, tenantId, bulk: id }, 'a failed bulk change could not be ended'),
    );
    return false;
  }
}

/**
 * Returns whether a retry would fail in the same way: PostgreSQL refused the data or the statement (classes 22, 23
 * and 42), or our code has a bug. A lost connection, a full disk or a lock is transient.
 */
function isPermanent(error: unknown): boolean {
  const { code } = error as { code?: string };
  return /^(22|23|42)/.test(code ?? '') || error instanceof TypeError;
}

/** @returns whether this process can continue the bulk change */
async function step(
  services: { db: Db; log: Log },
  tenantId: number,
  id: number,
): Promise<boolean> {
  const tx = services.db;
  const work = await lockBulk(tx, tenantId, id);
  if (!work) return false;
  const { change } = work;
  // A label can be deleted during the change.
  if (!isDeletion(change) && (await findUnknownLabels(tx, tenantId, labelsGiven(change)))) {
    await endBulk(
      tx,
      tenantId,
      id,
      'failed',
      fault('label_deleted', 'The label was deleted meanwhile.'),
    );
    return false;
  }
  const taken = await takeMatching(tx, tenantId, work, chunkSize);
  const changed =
    taken.ids.length === 0
      ? 0
      : isDeletion(change)
        ? await deleteContacts(services, tenantId, taken.ids)
        : await assignLabels(tx, tenantId, taken.ids, change);
  await recordBulkStep(tx, tenantId, id, { ...taken, changed });
  return !taken.isLast;
}
