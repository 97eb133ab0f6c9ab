import type { Services } from '../../services.ts';
import { deleteOldMessages, nextTenantWithMessages } from './conversation-queries.ts';

const batchSize = 1_000;

/** Deletes messages older than the retention period, tenant by tenant, in small batches. */
export async function pruneMessages(
  { db, config, clock }: Services,
  isStopping: () => boolean = () => false,
): Promise<void> {
  if (config.messageRetentionDays === 0) return;
  const before = new Date(clock.now().getTime() - config.messageRetentionDays * 86_400_000);
  let tenantId = await nextTenantWithMessages(db, 0);
  while (tenantId !== undefined) {
    let deleted = batchSize;
    while (deleted === batchSize) {
      if (isStopping()) return;
      deleted = await deleteOldMessages(db.batched, tenantId, before, batchSize);
    }
    tenantId = await nextTenantWithMessages(db, tenantId);
  }
}
