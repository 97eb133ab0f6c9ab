import { throttle } from '../../platform/concurrency/throttle.ts';
import { pruneInTurns } from '../../platform/jobs/prune-in-chunks.ts';
import type { Services } from '../../services.ts';
import { deleteOldMessages, listTenantsWithOldMessages } from './prune-queries.ts';

/**
 * Deletes the messages of all tenants that are older than the retention period of the tenant or of the installation, in
 * small batches at a 50 % duty cycle.
 */
export async function pruneMessages(
  { db, config }: Services,
  isStopping: () => boolean = () => false,
): Promise<void> {
  await pruneInTurns(
    await listTenantsWithOldMessages(db, config.messageRetentionDays),
    ({ tenantId, before }, limit) =>
      throttle(() => deleteOldMessages(db.batched, tenantId, before, limit)),
    isStopping,
  );
}
