import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { type Conversation, windowUntil } from './conversation-queries.ts';
import { personOf } from './person.ts';

type ConversationState = Pick<
  Conversation,
  'person' | 'window_until' | 'unread' | 'is_open' | 'assignee'
>;

/**
 * Finds the state of the conversation to which a phone leads. A phone without messages has the state of a
 * closed conversation that nobody answers.
 */
export async function findConversationState(
  db: Db,
  tenantId: number,
  phone: string,
): Promise<ConversationState> {
  const { rows } = await db.query<ConversationState>(sql`
    select asked.person, ${windowUntil(tenantId, sql`asked.person`)} as window_until,
            coalesce(unread, 0) as unread,
           coalesce(is_open, false) as is_open, assignee
    from (select ${personOf(tenantId, phone)} as person) as asked
    left join conversations on tenant_id = ${tenantId} and conversations.person = asked.person
      and last_message_id > coalesce(removed_to, 0)`);
  return rows[0]!;
}
