import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';
import { queuedErasures } from './erasures.ts';

/**
 * Deletes up to `limit` messages of one removed conversation. Skips a removal that another statement has locked.
 *
 * @returns the number of changed rows; 0 if nothing is left to delete
 */
export async function purgeErasedMessages(db: Db, limit: number): Promise<number> {
  const isLast = sql`(select count(*) from doomed) < ${limit}`;
  const { rows } = await db.query<{ removed: number }>(sql`
    with removal as (
      select tenant_id, person, removed_to from conversations
      where removed_to is not null and not ${isHeld(sql`conversations.tenant_id`)} and not exists (
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
    ), uncounting as materialized (
      -- The charts no longer count them, however old they are.
      select set_config('parley.uncounts', 'on', true)
    ), doomed as (
      select messages.tenant_id, messages.id
      from uncounting cross join removal
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
        and ${isLast} and last_message_id > removal.removed_to
      returning conversations.tenant_id, conversations.person
    ), emptied as (
      delete from conversations using removal
      where conversations.tenant_id = removal.tenant_id and conversations.person = removal.person
        and ${isLast}
        -- Not null if the message was under way at the time of the removal.
        and (last_message_id is null or last_message_id <= removal.removed_to)
      returning conversations.tenant_id, conversations.person
    ), uncounted as (
      delete from conversation_sequences as sequence using emptied
      where sequence.tenant_id = emptied.tenant_id and sequence.person = emptied.person
    ), ended as (
      select * from finished union all select * from emptied
    ), ${queuedErasures(sql`ended`)}
    select (select count(*) from removed) + (select count(*) from ended) as removed`);
  return rows[0]!.removed;
}
