import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { type MessageRow, notErased, stateColumns } from '../queries.ts';
import type { StoredCause } from '../record/cause.ts';
import { lowestId, personOf, phoneOfMessage } from './person.ts';

export type ConversationMessage = MessageRow & {
  content: Record<string, unknown>;
  /** Our id of the number that sent or received it. */
  number_id: number;
  /** `app` if staff wrote it in the WhatsApp Business app. Null if a token sent it. */
  cause: StoredCause | null;
  /** The account of a member, or our id of a bot or store. */
  cause_id: string | null;
};

/** The network allows free text for this long after the phone's last message. */
export const windowHours = 24;

/** The columns of a message, of `messages` with states. */
const messageColumns: Sql = sql`
  direction, kind, content, number_id, cause, cause_id, ${phoneOfMessage} as phone, ${stateColumns}`;

/**
 * Lists the messages of the conversation to which a phone leads, newest first.
 *
 * @param before the id of a message: lists only older ones
 */
export async function listConversationMessages(
  db: Db,
  tenantId: number,
  phone: string,
  { before, limit }: { before?: number; limit: number },
): Promise<ConversationMessage[]> {
  const { rows } = await db.query<ConversationMessage>(messagesOf(tenantId, phone, before, limit));
  return rows;
}

/** The statement, exported for a test of its plan. */
export function messagesOf(
  tenantId: number,
  phone: string,
  before: number | undefined,
  limit: number,
): Sql {
  return sql`
    with conversation as materialized (
      select person, coalesce(removed_to, ${lowestId}) as removed_to
      from conversations
      where tenant_id = ${tenantId} and person = ${personOf(tenantId, phone)}
    )
    select ${messageColumns}
    from conversation
    cross join lateral (
      select * from messages
      where messages.tenant_id = ${tenantId} and messages.person = conversation.person
        and messages.id > removed_to and messages.id < ${before ?? Number.MAX_SAFE_INTEGER}
      order by messages.person desc, messages.id desc limit ${limit}
    ) as messages
    left join message_states as state
      on state.tenant_id = ${tenantId} and state.message_id = messages.id
    order by messages.id desc`;
}

/** Finds messages by our ids, with the keys of their conversations. */
export async function findMessages(
  db: Db,
  tenantId: number,
  ids: number[],
): Promise<(ConversationMessage & { person: string })[]> {
  const { rows } = await db.query<ConversationMessage & { person: string }>(sql`
    select ${messageColumns}, messages.person
    from messages
    left join message_states as state
      on state.tenant_id = ${tenantId} and state.message_id = messages.id
    where messages.tenant_id = ${tenantId} and messages.id = any(${ids}::bigint[]) and ${notErased}`);
  return rows;
}

/** Finds the id of a tenant's newest message; 0 if it has none. */
export async function findNewestMessage(db: Db, tenantId: number): Promise<number> {
  const { rows } = await db.query<{ id: number }>(sql`
    select coalesce(max(id), 0) as id from messages where tenant_id = ${tenantId}`);
  return rows[0]!.id;
}

export type Conversation = {
  /** The key of the conversation, the same for every form of the phone. */
  person: string;
  phone: string;
  /** Our id of the number of the latest message. */
  number_id: number;
  last: ConversationMessage;
  /** Until when that number may send free text. */
  window_until: Date | null;
  /** Inbound messages that nobody has read in the dashboard. */
  unread: number;
  is_open: boolean;
  /** The account of the member who answers. */
  assignee: string | null;
};
export type ConversationRow = ConversationMessage & Omit<Conversation, 'last'>;

export function conversationOf(row: ConversationRow): Conversation {
  const { person, window_until, unread, is_open, assignee, ...last } = row;
  const { phone, number_id } = last;
  return { person, phone, number_id, last, window_until, unread, is_open, assignee };
}

/**
 * Selects conversations with their latest message, the newest first. A conversation whose latest message was
 * deleted is left out.
 *
 * @param shown a table with rows of `conversations`
 */
export function shownConversations(tenantId: number, shown: Sql): Sql {
  return sql`
    select direction, kind, content, cause, cause_id, ${stateColumns},
           shown.person, coalesce(shown.phone, shown.person) as phone, shown.number_id,
           unread, is_open, assignee, ${windowUntil(tenantId, sql`shown.person`, sql`shown.number_id`)} as window_until
    from ${shown}
    cross join lateral (
      select * from messages
      where messages.tenant_id = ${tenantId} and messages.id = shown.last_message_id
        and messages.id > coalesce(shown.removed_to, ${lowestId})
      limit 1
    ) as messages
    left join message_states as state
      on state.tenant_id = ${tenantId} and state.message_id = messages.id
    order by messages.id desc`;
}

/** The end of the free-text window of a person at a number: each number has a window of its own. */
export function windowUntil(tenantId: number, person: Sql, numberId: Sql | number): Sql {
  return sql`(
    select last_inbound_at from conversation_windows as latest
    where latest.tenant_id = ${tenantId} and latest.person = ${person}
      and latest.number_id = ${numberId}
  ) + ${windowHours}::int * interval '1 hour'`;
}

/** The location of a message's file: at the network if it was received or uploaded, at its URL if it was sent by it. */
export type MediaRow = { filename: string | null; is_inbound: boolean } & (
  | { media_id: string; number_id: number; address: null }
  | { media_id: null; number_id: number; address: string }
);

/** Finds the file of a message, or of the header of a sent template, by our id of the message. */
export async function findMedia(
  db: Db,
  tenantId: number,
  messageId: number,
): Promise<MediaRow | undefined> {
  const { rows } = await db.query<MediaRow>(sql`
    select media_id, number_id, address, coalesce(content ->> 'filename', content #>> '{header,filename}') as filename, direction = 'in' as is_inbound
    from messages
    cross join lateral (
      select case when direction = 'in' or cause = 'app' then content ->> 'media_id'
               else coalesce(content ->> 'media_id', content #>> '{header,media_id}')
             end as media_id,
             case when direction = 'out' and cause is distinct from 'app'
               then coalesce(content ->> 'media_url', content #>> '{header,media_url}')
             end as address
    ) as location
    where tenant_id = ${tenantId} and id = ${messageId}
      and (media_id is not null or address is not null) and ${notErased}`);
  return rows[0];
}
