import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../../platform/database/database.ts';
import { notifyAnyConversation } from '../../conversations/live/conversation-changes.ts';
import { latestMessage, lowestId } from '../../conversations/person.ts';
import { isKindOfUser } from '../../receiving/find-user-message.ts';

/** A row of `conversations` as JSON. */
export type ConversationRow = {
  person: string;
  number_id: number;
  last_message_id: number | null;
  first_inbound_id: number | null;
  removed_to: number | null;
  unread: number;
  is_open: boolean;
  /** Absent from rows of earlier versions. */
  is_taken?: boolean;
  phone: string | null;
  assignee: string | null;
};

/**
 * A condition on messages of people: notices of the network and those from before a number was connected open no
 * window.
 */
export const isWindowOpener: Sql = sql`direction = 'in' and kind <> 'system' and id > 0`;

/** The changes that moved messages make to their new conversation. */
type MovedState = Pick<
  ConversationRow,
  'first_inbound_id' | 'unread' | 'is_open' | 'is_taken' | 'assignee'
>;

/**
 * Locks conversations, in the order of all statements. A statement that is storing a message in one of them ends
 * first, so that the statements that follow see the message.
 */
export async function lockConversations(
  tx: Db,
  tenantId: number,
  people: string[],
): Promise<Map<string, ConversationRow>> {
  const { rows } = await tx.query<{ row: ConversationRow }>(sql`
    select to_json(conversations) as row from conversations
    where tenant_id = ${tenantId} and person = any(${people}) order by person for update`);
  return new Map(rows.map(({ row }) => [row.person, row]));
}

/**
 * Moves messages to another conversation, which is created if it does not exist. Messages that were deleted with a
 * contact stay. The windows of free text follow the messages. Open dashboards read again what they show.
 *
 * @param only ids of the messages to move; all of the conversation if it is left out
 * @param state of the conversation that gives the messages, if it has a row
 * @returns the ids of the moved messages
 */
export async function moveMessages(
  tx: Db,
  tenantId: number,
  { from, to, only }: { from: string; to: string; only?: number[] },
  state: MovedState | undefined,
): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(sql`
    with moved as (
      update messages set person = ${to}, phone = nullif(coalesce(phone, ${from}), ${to})
      where tenant_id = ${tenantId} and person = ${from}
        and (${only === undefined} or id = any(${only ?? []}::bigint[]))
        and id > coalesce((
          select removed_to from conversations
          where tenant_id = ${tenantId} and conversations.person = ${from}), ${lowestId})
      returning tenant_id, id, number_id, direction, kind, phone, created_at
    ), notified as materialized (
      ${notifyAnyConversation(sql`moved`)}
    ), conversation as (
      insert into conversations as conversation
        (tenant_id, person, number_id, last_message_id, phone, first_inbound_id, unread, is_open, is_taken,
         assignee)
      select ${tenantId}::bigint, ${to}, (array_agg(number_id order by id desc))[1], max(id),
             (array_agg(phone order by id desc))[1],
             least(${state?.first_inbound_id ?? null},
                   min(id) filter (where direction = 'in' and ${isKindOfUser})),
             ${state?.unread ?? 0}, ${state?.is_open ?? false}, ${state?.is_taken ?? false},
             ${state?.assignee ?? null}
      from moved having count(*) > 0
      on conflict (tenant_id, person) do update set
        ${latestMessage},
        first_inbound_id = least(conversation.first_inbound_id, excluded.first_inbound_id),
        unread = conversation.unread + excluded.unread,
        is_open = conversation.is_open or excluded.is_open,
        is_taken = conversation.is_taken or excluded.is_taken,
        assignee = coalesce(conversation.assignee, excluded.assignee)
    ), opened as (
      insert into conversation_windows as latest (tenant_id, person, number_id, last_inbound_at)
      select ${tenantId}::bigint, ${to}, number_id, max(created_at)
      from moved where ${isWindowOpener}
      group by number_id order by number_id
      on conflict (tenant_id, person, number_id) do update set
        last_inbound_at = greatest(latest.last_inbound_at, excluded.last_inbound_at)
    )
    select id from moved cross join (select count(*) from notified) as notified`);
  return rows.map(({ id }) => id);
}

/**
 * Moves all messages of a conversation to another one, and removes it. With messages that were deleted with a contact,
 * the row stays until a worker has deleted them.
 *
 * @param row of the conversation, if it has one
 */
export async function moveConversation(
  tx: Db,
  tenantId: number,
  way: { from: string; to: string },
  row: ConversationRow | undefined,
): Promise<number[]> {
  const movedIds = await moveMessages(tx, tenantId, way, row);
  if (!row) return movedIds;
  await tx.query(sql`
    delete from conversations
    where tenant_id = ${tenantId} and person = ${way.from} and removed_to is null`);
  await tx.query(sql`
    update conversations set
      last_message_id = null, first_inbound_id = null, unread = 0, is_open = false,
      is_taken = false, assignee = null
    where tenant_id = ${tenantId} and person = ${way.from}`);
  return movedIds;
}
