import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { type Conversation, windowHours } from './conversation-queries.ts';
import { lowestId, personOf } from './person.ts';

type ConversationState = Pick<Conversation, 'person' | 'unread' | 'is_open' | 'assignee'> & {
  /** The identity under which the inbox shows the conversation. */
  shown_phone: string;
  /** Our id of the number of the latest message; null without messages. */
  number_id: number | null;
  /** When the windows of the numbers end to which the person wrote. */
  windows: { number_id: number; window_until: string }[];
};

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
    select asked.person, coalesce(conversations.phone, conversations.person, ${phone}) as shown_phone,
           number_id, coalesce(unread, 0) as unread,
           coalesce(is_open, false) as is_open, assignee,
           coalesce((
             select json_agg(json_build_object(
               'number_id', latest.number_id,
               'window_until', last_inbound_at + ${windowHours}::int * interval '1 hour'))
             from conversation_windows as latest
             where latest.tenant_id = ${tenantId} and latest.person = asked.person), '[]') as windows
    from (select ${personOf(tenantId, phone)} as person) as asked
    left join conversations on tenant_id = ${tenantId} and conversations.person = asked.person
      and last_message_id > coalesce(removed_to, ${lowestId})`);
  const { windows, ...state } = rows[0]!;
  const isoWindows = windows.map(({ number_id, window_until }) => ({
    number_id,
    window_until: new Date(window_until).toISOString(),
  }));
  return { ...state, windows: isoWindows };
}
