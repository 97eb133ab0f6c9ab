import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { type MessageRow, notErased } from '../queries.ts';

export type ConversationMessage = MessageRow & { content: Record<string, unknown> };

/** Conversations are open for free text so long after the phone's last message (the network's rule). */
export const windowHours = 24;

/**
 * Messages of a phone, newest first, whichever of its forms they came with.
 *
 * @param before the id of a message: only older ones
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
 * Of a message `last`: until when its phone can be written to freely. By the time of what was written,
 * for the network may tell of an older message after a newer one.
 */
export const windowUntil: Sql = sql`(
  select max(created_at) from messages
  where tenant_id = last.tenant_id and direction = 'in'
    and phone = any(phone_forms(last.phone)) and ${notErased}
) + ${windowHours}::int * interval '1 hour'`;

/**
 * Conversations, the one with the newest message first. Each is found by one step down the ids of
 * messages, over those of conversations that are listed already.
 *
 * @param before the id of a conversation's last message: only those that were quiet since
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
          -- A page further down must not meet again what a page before it had.
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

/** Where the file of a message is: with the network that it came by, or at the address that was sent. */
export type MessageMedia = { filename: string | null } & (
  | { mediaId: string; numberId: number; address: null }
  | { mediaId: null; numberId: number; address: string }
);

/** The file of a message, or of the header of a sent template, by our id of the message. */
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
    ) as place
    where tenant_id = ${tenantId} and id = ${messageId}
      and ("mediaId" is not null or address is not null) and ${notErased}`);
  return rows[0];
}

/**
 * Removes messages of one removed conversation, a bounded number at a time and none that another
 * statement holds, so that nobody waits for a million of them.
 *
 * @returns how many went; 0 when there is nothing left to remove
 */
export async function purgeErasedMessages(db: Db, atMost: number): Promise<number> {
  const { rows } = await db.query<{ removed: number }>(sql`
    with under_way as materialized (
      select tenant_id, phone, id from messages where status = 'accepting'
    ), removal as (
      select tenant_id, phone, up_to_id from conversation_removals as removal
      -- A send that is under way completes its message first, and gives back what it was counted
      -- as. It does not come back meanwhile: the removal stays until the last message is gone.
      where not exists (
        select from under_way
        where under_way.tenant_id = removal.tenant_id and under_way.phone = removal.phone
          and under_way.id <= removal.up_to_id)
      order by tenant_id, phone limit 1 for update skip locked
    ), doomed as (
      select messages.tenant_id, messages.id
      from removal
      join messages on messages.tenant_id = removal.tenant_id and messages.phone = removal.phone
        and messages.id <= removal.up_to_id
      -- In whatever order the index has them: a sort would read them all each time.
      limit ${atMost} for update of messages
    ), removed as (
      delete from messages using doomed
      where messages.tenant_id = doomed.tenant_id and messages.id = doomed.id
      returning messages.id
    ), finished as (
      delete from conversation_removals using removal
      where conversation_removals.tenant_id = removal.tenant_id
        and conversation_removals.phone = removal.phone
        and (select count(*) from doomed) < ${atMost}
      returning 1
    )
    select (select count(*) from removed) + (select count(*) from finished) as removed`);
  return rows[0]!.removed;
}

/**
 * Deletes old ones among the oldest messages of a tenant.
 *
 * @returns how many went; fewer than asked for when no more are that old
 */
export async function deleteOldMessages(
  db: Db,
  tenantId: number,
  before: Date,
  atMost: number,
): Promise<number> {
  const { rowCount } = await db.query(sql`
    with oldest as (
      select tenant_id, id, created_at from messages
      where tenant_id = ${tenantId} order by id limit ${atMost}
    )
    delete from messages using oldest
    where messages.tenant_id = oldest.tenant_id and messages.id = oldest.id
      and oldest.created_at < ${before}`);
  return rowCount ?? 0;
}

/** Goes through the tenants that have messages, by their ids. */
export async function nextTenantWithMessages(
  db: Db,
  afterTenantId: number,
): Promise<number | undefined> {
  const { rows } = await db.query<{ tenant_id: number }>(sql`
    select tenant_id from messages where tenant_id > ${afterTenantId}
    order by tenant_id limit 1`);
  return rows[0]?.tenant_id;
}
