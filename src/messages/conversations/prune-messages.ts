import type { Services } from '../../services.ts';
import { deleteOldMessages } from './removal-queries.ts';

const batchSize = 1_000;

/** Deletes the messages of all tenants that are older than the retention period, in small batches. */
export async function pruneMessages(
  { db, config, clock }: Services,
  isStopping: () => boolean = () => false,
): Promise<void> {
  if (config.messageRetentionDays === 0) return;
  const before = new Date(clock.now().getTime() - config.messageRetentionDays * 86_400_000);
  let deleted = batchSize;
  while (deleted === batchSize && !isStopping()) {
    deleted = await deleteOldMessages(db.batched, before, batchSize);
  }
}
