import type { Database } from '../../platform/database/database.ts';
import { erasePeople } from '../erasing/erase-people.ts';
import { purgeErasedMessages } from './purge-queries.ts';

const batchSize = 1_000;

/**
 * Deletes the messages of deleted contacts in small batches, with all copies of them and of the contacts. They have been
 * hidden since the contact was deleted.
 */
export async function purgeConversations(
  db: Database,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const locked = new Set<number>();
  for (let changed = 1; changed > 0 && !isStopping(); ) {
    // Copies first, because some wait to be sent.
    changed =
      (await erasePeople(db, batchSize, locked)) +
      (await purgeErasedMessages(db.batched, batchSize));
  }
}
