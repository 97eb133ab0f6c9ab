import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { firstOfEach } from '../../platform/database/first-of-each.ts';
import { isCopied, isHeld } from '../../platform/jobs/is-held.ts';
import { queuedErasures } from '../erasing/erasures.ts';
import { lowestId } from './person.ts';

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

/** Lists the tenants with messages from before a time that may be deleted now. */
export async function listTenantsWithOldMessages(db: Db, before: Date): Promise<number[]> {
  // The condition holds for every row. Only an index that states it too has the order of times.
  const isTimed = sql`created_at > '-infinity'`;
  const { rows } = await db.query<{ tenant_id: number }>(sql`
    with recursive ${firstOfEach('messages', { order: 'created_at', condition: isTimed })}
    select tenant_id from firsts
    where created_at < ${before} and not ${isCopied(sql`firsts.tenant_id`)}`);
  return rows.map(({ tenant_id: id }) => id);
}

/**
 * Deletes up to `limit` of a tenant's oldest messages, if they are from before a time, and conversations without
 * other messages. By time and not by id, because the history of the WhatsApp Business app and tenants from
 * another cell have low ids and young messages.
 *
 * @returns the number of deleted messages; less than `limit` if no more are that old
 */
export async function deleteOldMessages(
  db: Db,
  tenantId: number,
  before: Date,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ deleted: number }>(sql`
    with counted as materialized (
      -- The charts go on counting them.
      select set_config('parley.keeps_counts', 'on', true)
    ), oldest as materialized (
      select id from counted cross join messages
      where tenant_id = ${tenantId} and created_at < ${before} and created_at > '-infinity'
      order by created_at limit ${limit}
    ), deleted as (
      delete from messages using oldest
      where messages.tenant_id = ${tenantId} and messages.id = oldest.id
      returning messages.person, messages.id
    ), ended as materialized (
      select conversations.person, removed_to
      from deleted
      join conversations on conversations.tenant_id = ${tenantId}
        and conversations.person = deleted.person and last_message_id = deleted.id
      order by conversations.person for update of conversations
    ), left_over as materialized (
      -- Ids follow times only roughly, so a later message can have a lower id.
      select ended.person, latest.id, latest.number_id, latest.id > coalesce(removed_to, ${lowestId}) as is_shown
      from ended
      left join lateral (
        select id, number_id from messages
        where tenant_id = ${tenantId} and messages.person = ended.person
          and not exists (select from deleted where deleted.id = messages.id)
        order by id desc limit 1
      ) as latest on true
    ), shortened as (
      update conversations set
        last_message_id = case when is_shown then left_over.id end, number_id = left_over.number_id
      from left_over
      where tenant_id = ${tenantId} and conversations.person = left_over.person and left_over.id is not null
    ), emptied as (
      delete from conversations using left_over
      where tenant_id = ${tenantId} and conversations.person = left_over.person and left_over.id is null
      returning tenant_id, conversations.person
    ), ${queuedErasures(sql`emptied`)}
    select count(*)::int as deleted from deleted`);
  return rows[0]!.deleted;
}
