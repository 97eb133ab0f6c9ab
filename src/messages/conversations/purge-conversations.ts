import type { Database } from '../../platform/database/database.ts';
import { purgeErasedMessages } from './conversation-queries.ts';

const messagesAtOnce = 1_000;

/**
 * Removes the messages of deleted contacts. They are gone for readers since the contact was
 * deleted; here the rows go, in small statements.
 */
export async function purgeConversations(
  db: Database,
  isStopping: () => boolean = () => false,
): Promise<void> {
  while (!isStopping() && (await purgeErasedMessages(db.batched, messagesAtOnce)) > 0);
}
