import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { deletedDeliveries } from './deleted-deliveries.ts';

/**
 * Deletes an endpoint's oldest deliveries with their attempts, in small chunks so that no lock is held for long.
 * Waiting deliveries stay while the endpoint is on, however old they are, because their attempts end. Those of a paused
 * endpoint are sent when it is resumed, and its quota bounds them.
 *
 * @param olderThanDays for all deliveries, and for delivered `contact.read` events
 * @param limit for each of these two groups
 * @returns how many it deleted
 */
export async function pruneDeliveries(
  db: Db,
  { tenantId, webhookId }: Endpoint,
  olderThanDays: { all: number; reads: number },
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
    ), doomed as (
      select ${tenantId}::bigint as tenant_id, id from old
      union select ${tenantId}, id from old_reads
    ), ${deletedDeliveries(sql`doomed`)}
    select count(*) from gone`);
  return rows[0]!.count;
}

/** Lists the endpoints with deliveries to prune. Costs two index entries for each endpoint. */
export async function listEndpointsToPrune(
  db: Db,
  olderThanDays: { all: number; reads: number },
): Promise<Endpoint[]> {
  const { rows } = await db.query<{ tenant_id: number; id: number }>(sql`
    select tenant_id, id from webhooks
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
      false)
    order by tenant_id, id`);
  return rows.map((row) => ({ tenantId: row.tenant_id, webhookId: row.id }));
}
