import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { isCopied } from '../../platform/jobs/is-held.ts';
import { daysOfMessages } from '../../tenants/message-retention.ts';
import { queuedErasures } from '../erasing/erasures.ts';
import { lowestId } from './person.ts';

/**
 * Lists the tenants with messages that may be deleted now, and from before which time. Costs two index entries for each
 * tenant with a retention period.
 */
export async function listTenantsWithOldMessages(
  db: Db,
  messageRetentionDays: number,
): Promise<{ tenantId: number; before: Date }[]> {
  const { rows } = await db.query<{ tenant_id: number; before: Date }>(sql`
    select tenant.id as tenant_id, tenant.before
    from (
      select id, now() - ${daysOfMessages(messageRetentionDays)} * interval '1 day' as before from tenants
    ) as tenant
    where tenant.before is not null and not ${isCopied(sql`tenant.id`)}
      and tenant.before > (
        select created_at from messages
        -- Holds for every row. Only an index that states it too has the order of times.
        where tenant_id = tenant.id and created_at > '-infinity'
        order by created_at limit 1)
    order by tenant.id`);
  return rows.map(({ tenant_id: tenantId, before }) => ({ tenantId, before }));
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
