import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/**
 * Deletes up to `limit` messages of one removed conversation. Skips a removal that another statement has
 * locked.
 *
 * @returns the number of changed rows; 0 if nothing is left to delete
 */
export async function purgeErasedMessages(db: Db, limit: number): Promise<number> {
  const { rows } = await db.query<{ removed: number }>(sql`
    with removal as (
      select tenant_id, person, removed_to from conversations
      where removed_to is not null and not exists (
        -- A send in progress completes its message first, and may refund its quota. Its message stays hidden,
        -- because the removal is kept until the last message is deleted.
        select from messages
        where messages.tenant_id = conversations.tenant_id and messages.person = conversations.person
          and messages.id <= removed_to and direction = 'out'
          -- Every earlier message has a state.
          and messages.id > (select done_to from message_walks where name = 'abandoned')
          and not exists (
            select from message_states as state
            where state.tenant_id = messages.tenant_id and state.message_id = messages.id))
      order by tenant_id, person limit 1 for update skip locked
    ), doomed as (
      select messages.tenant_id, messages.id
      from removal
      join messages on messages.tenant_id = removal.tenant_id and messages.person = removal.person
        and messages.id <= removal.removed_to
      -- Unordered: a sort would read all of them each time.
      limit ${limit} for update of messages
    ), removed as (
      delete from messages using doomed
      where messages.tenant_id = doomed.tenant_id and messages.id = doomed.id
      returning messages.id
    ), finished as (
      update conversations set removed_to = null
      from removal
      where conversations.tenant_id = removal.tenant_id and conversations.person = removal.person
        and (select count(*) from doomed) < ${limit} and last_message_id > removal.removed_to
      returning 1
    ), emptied as (
      delete from conversations using removal
      where conversations.tenant_id = removal.tenant_id and conversations.person = removal.person
        and (select count(*) from doomed) < ${limit}
        -- Not null if the message was under way at the time of the removal.
        and (last_message_id is null or last_message_id <= removal.removed_to)
      returning conversations.tenant_id, conversations.person
    ), uncounted as (
      delete from conversation_sequences as sequence using emptied
      where sequence.tenant_id = emptied.tenant_id and sequence.person = emptied.person
    )
    select (select count(*) from removed) + (select count(*) from finished)
      + (select count(*) from emptied) as removed`);
  return rows[0]!.removed;
}

/**
 * Deletes up to `limit` of the oldest messages, if they are from before a time, and conversations without
 * later messages.
 *
 * @returns the number of deleted messages; less than `limit` if no more are that old
 */
export async function deleteOldMessages(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await db.query<{ deleted: number }>(sql`
    with oldest as materialized (
      select tenant_id, id, created_at from messages order by id limit ${limit}
    ), deleted as (
      delete from messages using oldest
      where messages.tenant_id = oldest.tenant_id and messages.id = oldest.id
        and oldest.created_at < ${before}
      returning messages.tenant_id, messages.id
    ), emptied as (
      delete from conversations
      using (
        select deleted.tenant_id, numbers.id as number_id, max(deleted.id) as up_to_id
        from deleted join numbers on numbers.tenant_id = deleted.tenant_id
        group by 1, 2
      ) as last
      where conversations.tenant_id = last.tenant_id and conversations.number_id = last.number_id
        and conversations.last_message_id <= last.up_to_id
    )
    select count(*)::int as deleted from deleted`);
  return rows[0]!.deleted;
}
