import type { Database } from '../../platform/database/database.ts';
import { purgeErasedMessages } from './removal-queries.ts';

const batchSize = 1_000;

/**
 * Deletes the messages of deleted contacts in small batches. They have been hidden since the contact was
 * deleted.
 */
export async function purgeConversations(
  db: Database,
  isStopping: () => boolean = () => false,
): Promise<void> {
  while (!isStopping() && (await purgeErasedMessages(db.batched, batchSize)) > 0);
}
