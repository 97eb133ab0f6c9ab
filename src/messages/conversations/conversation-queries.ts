import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { type MessageRow, notErased } from '../queries.ts';

export type ConversationMessage = MessageRow & { content: Record<string, unknown> };

/** The network allows free text for this long after the phone's last message. */
export const windowHours = 24;

/**
 * Lists the messages of a phone in all of its forms, newest first.
 *
 * @param before the id of a message: lists only older ones
 */
export async function listConversationMessages(
  db: Db,
  tenantId: number,
  phone: string,
  { before, limit }: { before?: number; limit: number },
): Promise<ConversationMessage[]> {
  const { rows } = await db.query<ConversationMessage>(sql`
    select id, network_id, direction, phone, kind, content, status, error, created_at,
           sent_at, delivered_at, read_at, failed_at
    from messages
    where tenant_id = ${tenantId} and phone = any(phone_forms(${phone}))
      and (${before ?? null}::bigint is null or id < ${before ?? null}) and ${notErased}
    order by id desc limit ${limit}`);
  return rows;
}

export type Conversation = { phone: string; last: ConversationMessage; window_until: Date | null };
export type ConversationRow = ConversationMessage & { window_until: Date | null };

export function conversationOf({ window_until, ...last }: ConversationRow): Conversation {
  return { phone: last.phone, last, window_until };
}

/**
 * The end of the free-text window of the phone of a message `last`. Uses the time of writing, because the
 * network may report an older message after a newer one.
 */
export const windowUntil: Sql = sql`(
  select max(created_at) from messages
  where tenant_id = last.tenant_id and direction = 'in'
    and phone = any(phone_forms(last.phone)) and ${notErased}
) + ${windowHours}::int * interval '1 hour'`;

/**
 * Lists conversations, the one with the newest message first. Each recursion finds the next lower message
 * id whose conversation is not listed yet.
 *
 * @param before the id of a conversation's last message: lists only conversations without a newer one
 */
export async function listConversations(
  db: Db,
  tenantId: number,
  { before, limit }: { before?: number; limit: number },
): Promise<Conversation[]> {
  const { rows } = await db.query<ConversationRow>(sql`
    with recursive newest as (
      select ${before ?? null}::bigint as id, '{}'::text[] as seen, 0 as found
      union all
      select message.id, seen || phone_forms(message.phone), found + 1
      from newest
      cross join lateral (
        select id, phone from messages
        where tenant_id = ${tenantId} and (newest.id is null or id < newest.id)
          and phone <> all(newest.seen) and ${notErased}
          -- Skip conversations that an earlier page has listed.
          and (${before ?? null}::bigint is null or not exists (
            select from messages as newer
            where newer.tenant_id = messages.tenant_id and newer.id >= ${before ?? null}
              and newer.phone = any(phone_forms(messages.phone))))
        order by id desc limit 1
      ) as message
      where found < ${limit}
    )
    select last.*, ${windowUntil} as window_until
    from newest join messages as last on last.tenant_id = ${tenantId} and last.id = newest.id
    where found > 0
    order by last.id desc`);
  return rows.map(conversationOf);
}

/** Where the file of a message is: at the network if it was received, at its URL if it was sent. */
export type MessageMedia = { filename: string | null } & (
  | { mediaId: string; numberId: number; address: null }
  | { mediaId: null; numberId: number; address: string }
);

/** Finds the file of a message, or of the header of a sent template, by our id of the message. */
export async function findMedia(
  db: Db,
  tenantId: number,
  messageId: number,
): Promise<MessageMedia | undefined> {
  const { rows } = await db.query<MessageMedia>(sql`
    select "mediaId", number_id as "numberId", address, content ->> 'filename' as filename
    from messages
    cross join lateral (
      select case when direction = 'in' then content ->> 'media_id' end as "mediaId",
             case when direction = 'out'
               then coalesce(content ->> 'media_url', content #>> '{header,media_url}')
             end as address
    ) as location
    where tenant_id = ${tenantId} and id = ${messageId}
      and ("mediaId" is not null or address is not null) and ${notErased}`);
  return rows[0];
}

/**
 * Deletes up to `limit` messages of one removed conversation. Skips a removal that another statement has
 * locked.
 *
 * @returns the number of deleted rows; 0 if nothing is left to delete
 */
export async function purgeErasedMessages(db: Db, limit: number): Promise<number> {
  const { rows } = await db.query<{ removed: number }>(sql`
    with in_progress as materialized (
      select tenant_id, phone, id from messages where status = 'accepting'
    ), removal as (
      select tenant_id, phone, up_to_id from conversation_removals as removal
      -- A send in progress completes its message first, and may refund its quota. Its message stays
      -- hidden, because the removal is kept until the last message is deleted.
      where not exists (
        select from in_progress
        where in_progress.tenant_id = removal.tenant_id and in_progress.phone = removal.phone
          and in_progress.id <= removal.up_to_id)
      order by tenant_id, phone limit 1 for update skip locked
    ), doomed as (
      select messages.tenant_id, messages.id
      from removal
      join messages on messages.tenant_id = removal.tenant_id and messages.phone = removal.phone
        and messages.id <= removal.up_to_id
      -- Unordered: a sort would read all of them each time.
      limit ${limit} for update of messages
    ), removed as (
      delete from messages using doomed
      where messages.tenant_id = doomed.tenant_id and messages.id = doomed.id
      returning messages.id
    ), finished as (
      delete from conversation_removals using removal
      where conversation_removals.tenant_id = removal.tenant_id
        and conversation_removals.phone = removal.phone
        and (select count(*) from doomed) < ${limit}
      returning 1
    )
    select (select count(*) from removed) + (select count(*) from finished) as removed`);
  return rows[0]!.removed;
}

/**
 * Deletes up to `limit` messages of a tenant from before a time.
 *
 * @returns the number of deleted messages; less than `limit` if no more are that old
 */
export async function deleteOldMessages(
  db: Db,
  tenantId: number,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(sql`
    with oldest as (
      select tenant_id, id, created_at from messages
      where tenant_id = ${tenantId} order by id limit ${limit}
    )
    delete from messages using oldest
    where messages.tenant_id = oldest.tenant_id and messages.id = oldest.id
      and oldest.created_at < ${before}`);
  return rowCount ?? 0;
}

/** Finds the next tenant with messages, in order of ids. */
export async function nextTenantWithMessages(
  db: Db,
  afterTenantId: number,
): Promise<number | undefined> {
  const { rows } = await db.query<{ tenant_id: number }>(sql`
    select tenant_id from messages where tenant_id > ${afterTenantId}
    order by tenant_id limit 1`);
  return rows[0]?.tenant_id;
}
