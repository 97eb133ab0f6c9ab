import type { Database, Db } from '../../platform/database.ts';
import { retryDeadlock } from '../../platform/retry-deadlock.ts';
import { deleteContacts } from '../queries.ts';
import { assignLabels, hasUnknownLabel } from './assign-contacts.ts';
import { endBulk, lockBulk, noteBulkStep, runningBulks, takeMatching } from './bulk-queries.ts';

/** Contacts changed in one transaction: who changes one of them meanwhile waits for its end. */
const changedAtOnce = 250;

/**
 * Goes on with every change of all contacts that pass a filter, some contacts of each at a time.
 * What is done and how far it is commit together: after the death of a process another one goes on
 * where it was, and as many processes as want can do so at once. It rests as long as it worked.
 */
export async function changeAllContacts(
  db: Database,
  {
    offsetMs = 0,
    isStopping = () => false,
  }: { offsetMs?: number; isStopping?: () => boolean } = {},
): Promise<void> {
  for (let some = true; some && !isStopping(); ) {
    some = false;
    for (const { tenant_id: tenantId, id } of await runningBulks(db)) {
      const startedAt = performance.now();
      if (await retryDeadlock(() => db.transaction((tx) => step(tx, tenantId, id, offsetMs)))) {
        some = true;
      }
      const tookMs = performance.now() - startedAt;
      await new Promise((resolve) => setTimeout(resolve, tookMs));
      if (isStopping()) return;
    }
  }
}

/** @returns whether there is more to do, for us */
async function step(tx: Db, tenantId: number, id: number, offsetMs: number): Promise<boolean> {
  const work = await lockBulk(tx, tenantId, id);
  if (!work) return false;
  const { change } = work;
  // A label can be deleted while it is being given.
  if (!('delete' in change) && (await hasUnknownLabel(tx, tenantId, change))) {
    await endBulk(tx, tenantId, id, 'failed', 'The label was deleted meanwhile.');
    return false;
  }
  const taken = await takeMatching(tx, tenantId, work, changedAtOnce);
  const changed =
    taken.ids.length === 0
      ? 0
      : 'delete' in change
        ? await deleteContacts(tx, tenantId, taken.ids)
        : await assignLabels(tx, tenantId, taken.ids, change, offsetMs);
  await noteBulkStep(tx, tenantId, id, { ...taken, changed });
  return !taken.isLast;
}
