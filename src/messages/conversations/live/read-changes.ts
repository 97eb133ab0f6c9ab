import type { Db } from '../../../platform/database/database.ts';
import { findMessages } from '../conversation-queries.ts';
import type { LiveEvent } from '../dashboard-schema.ts';
import { findConversations } from '../inbox/search-queries.ts';
import { presentConversations, presentMessage } from '../present-conversation.ts';
import type { ConversationChange } from './conversation-changes.ts';

/** More changes at once are not read: every browser then reads what it shows. */
const maxChanges = 200;

/** Reads what has become of changed conversations, once for all browsers of the tenant. */
export async function readChanges(
  db: Db,
  tenantId: number,
  changes: ConversationChange[],
): Promise<LiveEvent> {
  if (changes.length > maxChanges) return { kind: 'reload' };
  const phones = [...new Set(changes.map(({ phone }) => phone))];
  const ids = [...new Set(changes.flatMap(({ messageId }) => messageId ?? []))];
  const [found, messages] = await Promise.all([
    findConversations(db, tenantId, { phones, persons: [] }, phones.length),
    ids.length > 0 ? findMessages(db, tenantId, ids) : [],
  ]);
  return {
    kind: 'changed',
    conversations: await presentConversations(db, tenantId, found),
    messages: messages.map((message) => ({ ...presentMessage(message), person: message.person })),
  };
}
