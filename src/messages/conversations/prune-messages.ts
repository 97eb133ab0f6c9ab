import { throttle } from '../../platform/concurrency/throttle.ts';
import { pruneInTurns } from '../../platform/jobs/prune-in-chunks.ts';
import type { Services } from '../../services.ts';
import { deleteOldMessages, listTenantsWithOldMessages } from './prune-queries.ts';

/**
 * Deletes the messages of all tenants that are older than the retention period, in small batches at a 50 % duty cycle.
 */
export async function pruneMessages(
  { db, config, clock }: Services,
  isStopping: () => boolean = () => false,
): Promise<void> {
  if (config.messageRetentionDays === 0) return;
  const before = new Date(clock.now().getTime() - config.messageRetentionDays * 86_400_000);
  await pruneInTurns(
    await listTenantsWithOldMessages(db, before),
    (tenantId, limit) => throttle(() => deleteOldMessages(db.batched, tenantId, before, limit)),
    isStopping,
  );
}
