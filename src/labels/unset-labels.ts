import sql, { join, raw } from 'sql-template-tag';
import { type LabelOfTenant, unassignLabel } from '../contacts/many/unassign-label.ts';
import { throttle } from '../platform/concurrency/throttle.ts';
import type { Database, Db } from '../platform/database/database.ts';
import { isLostReference } from '../platform/database/failures/error-codes.ts';
import { retryDeadlock } from '../platform/database/failures/retry-deadlock.ts';
import type { Log } from '../platform/log.ts';
import { logFailure } from '../platform/log-failure.ts';
import { type LabelKind, labelKinds } from './label-kinds.ts';

/** Contacts per transaction. Another change of one of them waits until the transaction ends. */
const batchSize = 500;
/** Longer than any statement that saw the label before its deletion and still assigns it. */
const settledAfterMs = 60_000;

/** How far a pass through the contacts of a deleted label has come. */
type Progress = {
  afterId: number;
  /** Whether this pass has changed a contact. */
  hasChanged: boolean;
};

/**
 * Removes deleted labels from their contacts in batches: each contact gets a new `updated_at` and a
 * `contact.updated` event. Deletes the row of a label when no contact has it any more.
 *
 * Each batch is a transaction without other state, so a killed process loses at most one batch,
 * which is repeated. Alternates between tenants after each batch. Several processes can call this
 * at the same time.
 *
 * @param olderThanMs how long ago a label must have been deleted for its row to be removed
 */
export async function unsetLabels(
  services: { db: Database; log: Log },
  {
    olderThanMs = settledAfterMs,
    isStopping = () => false,
  }: { olderThanMs?: number; isStopping?: () => boolean } = {},
): Promise<void> {
  const progress = new Map<string, Progress | 'ended'>();
  for (let isMore = true; isMore; ) {
    isMore = false;
    const labels = await findDeletedLabels(services.db);
    for (const ofTenant of Map.groupBy(labels, ({ tenantId }) => tenantId).values()) {
      if (isStopping()) return;
      if (await stepOfTenant(services, ofTenant, progress, olderThanMs)) isMore = true;
    }
  }
}

/**
 * Processes one batch of the tenant's first label that still has contacts.
 *
 * @returns whether there may be more to do
 */
async function stepOfTenant(
  { db, log }: { db: Database; log: Log },
  labels: LabelOfTenant[],
  progress: Map<string, Progress | 'ended'>,
  olderThanMs: number,
): Promise<boolean> {
  for (const label of labels) {
    const key = `${label.tenantId} ${label.kind} ${label.id}`;
    const last = progress.get(key) ?? { afterId: 0, hasChanged: false };
    if (last === 'ended') continue;
    const next = await throttle(() =>
      retryDeadlock(() => db.transaction((tx) => step(tx, label, last, olderThanMs))),
    ).catch((err) => {
      // The tenant or its webhook may have been deleted. Other errors must not stop the other
      // labels.
      const work = `taking the deleted label ${label.id} of ${label.kind} off its contacts`;
      if (!isLostReference(err)) logFailure({ db, log }, err, `${work} failed`);
      return 'ended' as const;
    });
    progress.set(key, next);
    if (next !== 'ended') return true;
  }
  return false;
}

/** Processes one batch of a label, or deletes its row if the pass has found nothing to do. */
async function step(
  tx: Db,
  label: LabelOfTenant,
  { afterId, hasChanged }: Progress,
  olderThanMs: number,
): Promise<Progress | 'ended'> {
  const { isOurs, isSettled } = await lockDeletedLabel(tx, label, olderThanMs);
  if (!isOurs) return 'ended';
  const page = await unassignLabel(tx, label, { afterId, limit: batchSize });
  if (page.lastId !== undefined) {
    return { afterId: page.lastId, hasChanged: hasChanged || page.changed > 0 };
  }
  // Starts again, for contacts that were locked or got the label in the meantime.
  if (hasChanged) return { afterId: 0, hasChanged: false };
  if (afterId === 0 && isSettled) await deleteLabelRow(tx, label);
  return 'ended';
}

async function findDeletedLabels(db: Db): Promise<LabelOfTenant[]> {
  const kinds = Object.keys(labelKinds) as LabelKind[];
  const { rows } = await db.query<{ tenant_id: number; kind: LabelKind; id: number }>(sql`
    ${join(
      kinds.map(
        (kind) => sql`
          select tenant_id, ${kind} as kind, id, deleted_at from ${raw(kind)}
          where deleted_at is not null`,
      ),
      ' union all ',
    )}
    order by deleted_at, id`);
  return rows.map(({ tenant_id: tenantId, kind, id }) => ({ tenantId, kind, id }));
}

/**
 * Locks the row of a deleted label.
 *
 * @returns `isOurs` is false if another process has it, or if the row is gone
 */
async function lockDeletedLabel(
  tx: Db,
  { tenantId, kind, id }: LabelOfTenant,
  olderThanMs: number,
): Promise<{ isOurs: boolean; isSettled: boolean }> {
  const { rows } = await tx.query<{ settled: boolean }>(sql`
    select deleted_at < now() - ${olderThanMs}::float8 * interval '1 ms' as settled
    from ${raw(kind)}
    where tenant_id = ${tenantId} and id = ${id} and deleted_at is not null
    for no key update skip locked`);
  return { isOurs: rows.length === 1, isSettled: rows[0]?.settled ?? false };
}

async function deleteLabelRow(tx: Db, { tenantId, kind, id }: LabelOfTenant): Promise<void> {
  await tx.query(sql`delete from ${raw(kind)} where tenant_id = ${tenantId} and id = ${id}`);
}
