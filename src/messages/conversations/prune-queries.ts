import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { firstOfEach } from '../../platform/database/first-of-each.ts';
import { isCopied } from '../../platform/jobs/is-held.ts';
import { queuedErasures } from '../erasing/erasures.ts';
import { lowestId } from './person.ts';

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
