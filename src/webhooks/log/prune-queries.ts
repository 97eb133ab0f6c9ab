import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { daysOfMessages } from '../../tenants/message-retention.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { allEventTypes } from '../schema.ts';
import { deletedDeliveries } from './deleted-deliveries.ts';

/**
 * Retention times of deliveries in days: of all, of delivered `contact.read` events, and of messages (0 if they have
 * none), for which a tenant can have a shorter one.
 */
type OlderThanDays = { all: number; reads: number; messages: number };

const messageEvents = allEventTypes.filter((type) => type.startsWith('message.'));

/**
 * Deletes an endpoint's oldest deliveries with their attempts, in small chunks so that no lock is held for long.
 * Waiting deliveries stay while the endpoint is on, however old they are, because their attempts end. Those of a paused
 * endpoint are sent when it is resumed, and its quota bounds them.
 *
 * @param limit for each of these groups, and for each kind of event of messages
 * @returns how many it deleted
 */
export async function pruneDeliveries(
  db: Db,
  { tenantId, webhookId }: Endpoint,
  olderThanDays: OlderThanDays,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    with old as (
      select id from deliveries
      where tenant_id = ${tenantId} and webhook_id = ${webhookId}
        and created_at < now() - ${olderThanDays.all} * interval '1 day'
        and (state <> 'waiting' or exists (
          select from webhooks
          where tenant_id = ${tenantId} and webhooks.id = ${webhookId}
            and off_since is not null))
      order by created_at limit ${limit}
      for update skip locked
    ), old_reads as (
      select id from deliveries
      where tenant_id = ${tenantId} and webhook_id = ${webhookId}
        and event = 'contact.read' and state = 'delivered'
        and created_at < now() - ${olderThanDays.reads} * interval '1 day'
      order by created_at limit ${limit}
      for update skip locked
    ), old_messages as (
      select copy.id
      from (
        select ${daysOfMessages(olderThanDays.messages)} as days from tenants where id = ${tenantId}
      ) as kept
      join unnest(${messageEvents}::text[]) as type on kept.days is not null
      cross join lateral (
        select id from deliveries
        where tenant_id = ${tenantId} and webhook_id = ${webhookId}
          and event = type and event <> 'contact.read' and state <> 'waiting'
          and created_at < now() - kept.days * interval '1 day'
        order by created_at limit ${limit}
        for update skip locked
      ) as copy
    ), doomed as (
      select ${tenantId}::bigint as tenant_id, id from old
      union select ${tenantId}, id from old_reads
      union select ${tenantId}, id from old_messages
    ), ${deletedDeliveries(sql`doomed`)}
    select count(*) from gone`);
  return rows[0]!.count;
}

/** Lists the endpoints with deliveries to prune. Costs a few index entries for each endpoint. */
export async function listEndpointsToPrune(
  db: Db,
  olderThanDays: OlderThanDays,
): Promise<Endpoint[]> {
  const { rows } = await db.query<{ tenant_id: number; id: number }>(sql`
    select webhooks.tenant_id, webhooks.id from webhooks
    join tenants on tenants.id = webhooks.tenant_id
    where coalesce(
      (select true from deliveries
       where deliveries.tenant_id = webhooks.tenant_id and deliveries.webhook_id = webhooks.id
         and created_at < now() - ${olderThanDays.all} * interval '1 day'
       order by created_at limit 1),
      (select true from deliveries
       where deliveries.tenant_id = webhooks.tenant_id and deliveries.webhook_id = webhooks.id
         and event = 'contact.read' and state = 'delivered'
         and created_at < now() - ${olderThanDays.reads} * interval '1 day'
       order by created_at limit 1),
      (select true from (select ${daysOfMessages(olderThanDays.messages)} as days) as kept
       join unnest(${messageEvents}::text[]) as type on kept.days is not null
       cross join lateral (
         select from deliveries
         where deliveries.tenant_id = webhooks.tenant_id and deliveries.webhook_id = webhooks.id
           and event = type and event <> 'contact.read'
           and created_at < now() - kept.days * interval '1 day'
         order by created_at limit 1
       ) as oldest
       limit 1),
      false)
    order by webhooks.tenant_id, webhooks.id`);
  return rows.map((row) => ({ tenantId: row.tenant_id, webhookId: row.id }));
}
