import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { firstOfEach } from '../../platform/database/first-of-each.ts';
import { isCopied } from '../../platform/jobs/is-held.ts';
import { daysOfMessages } from '../../tenants/message-retention.ts';
import { hasEventAbility } from './begin-log.ts';

/**
 * Ends the logs of tenants whose last token that may read events was revoked or has expired longer ago than events are
 * kept. A program whose token ran out unnoticed goes on with the next one.
 */
export async function endUnreadLogs(db: Db, olderThanDays: number): Promise<void> {
  await db.query(sql`
    delete from event_logs where not exists (
      select from tokens
      where tokens.tenant_id = event_logs.tenant_id and ${hasEventAbility}
        and coalesce(least(revoked_at, expires_at) > now() - ${olderThanDays} * interval '1 day', true))`);
}

/** Lists the tenants that have events which may be deleted now. */
export async function listTenantsWithEvents(db: Db): Promise<number[]> {
  const { rows } = await db.query<{ tenant_id: number }>(sql`
    with recursive ${firstOfEach('events')}
    select tenant_id from firsts where not ${isCopied(sql`firsts.tenant_id`)}`);
  return rows.map(({ tenant_id: id }) => id);
}

/**
 * Deletes the oldest events of a tenant: those that are too old, those above its quota, and all from before its log
 * began. The log then begins after them, so that readers know what they have missed.
 *
 * @param limits.messageDays how long messages are kept, if there is a limit: events have copies of them. 0 for none; a
 *   tenant can have a shorter time
 * @returns how many it deleted; less than `limit` if no more are to be deleted
 */
export async function pruneLog(
  db: Db,
  tenantId: number,
  {
    olderThanDays,
    messageDays,
    maxBytes,
  }: { olderThanDays: number; messageDays: number; maxBytes: number },
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    with log as materialized (
      select begins_after, kept_bytes from event_logs where tenant_id = ${tenantId} for update
    ), kept as (
      select least(${olderThanDays}::int, ${daysOfMessages(messageDays)}) as days
      from tenants where id = ${tenantId}
    ), oldest as materialized (
      select tenant_id, position, created_at, octet_length(data) as bytes
      from events where tenant_id = ${tenantId} order by position limit ${limit}
    ), doomed as (
      select tenant_id, position, bytes from oldest
      where created_at < now() - (select days from kept) * interval '1 day'
        or position <= coalesce((select begins_after from log), position)
        or (select kept_bytes > ${maxBytes} from log)
    ), deleted as (
      delete from events using doomed
      where events.tenant_id = ${tenantId} and events.position = doomed.position
      returning events.position, doomed.bytes
    ), changed as (
      update event_logs set
        begins_after = greatest(begins_after, (select max(position) from deleted)),
        kept_bytes = greatest(0, kept_bytes - (
          select coalesce(sum(bytes), 0) from deleted where position > event_logs.begins_after))
      where tenant_id = ${tenantId} and exists (select from deleted)
    )
    select count(*) from deleted`);
  return rows[0]!.count;
}

/** Deletes events that could not be published, after the same time. */
export async function pruneRejected(db: Db, olderThanDays: number): Promise<void> {
  await db.query(sql`
    delete from rejected_events where rejected_at < now() - ${olderThanDays} * interval '1 day'`);
}
