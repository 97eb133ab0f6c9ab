import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';

/**
 * Deletes a tenant's oldest deliveries with their attempts, in small chunks so that no lock is held for long.
 * Waiting deliveries stay while the webhook is on, however old they are, because their attempts end.
 *
 * @param olderThanDays for all deliveries, and for delivered `contact.read` events
 * @param limit for each of these two groups
 * @returns how many it deleted
 */
export async function pruneDeliveries(
  db: Db,
  tenantId: number,
  olderThanDays: { all: number; reads: number },
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    with old as (
      select id from deliveries
      where tenant_id = ${tenantId} and created_at < now() - ${olderThanDays.all} * interval '1 day'
        and (state <> 'waiting' or exists (
          select from webhooks where tenant_id = ${tenantId} and off_since is not null))
      order by created_at limit ${limit}
      for update skip locked
    ), old_reads as (
      select id from deliveries
      where tenant_id = ${tenantId} and event = 'contact.read' and state = 'delivered'
        and created_at < now() - ${olderThanDays.reads} * interval '1 day'
      order by created_at limit ${limit}
      for update skip locked
    ), gone as (
      delete from deliveries where tenant_id = ${tenantId} and id in (
        select id from old union select id from old_reads)
      returning id, octet_length(body) as bytes
    ), usage as (
      update delivery_usage set kept_bytes = greatest(0, kept_bytes - coalesce((
        select sum(bytes) from gone where id <= measured_id), 0))
      where tenant_id = ${tenantId} and exists (select from gone)
    )
    select count(*) from gone`);
  return rows[0]!.count;
}

/** Lists the tenants with deliveries to prune. Costs two index entries for each webhook. */
export async function listTenantsToPrune(
  db: Db,
  olderThanDays: { all: number; reads: number },
): Promise<number[]> {
  const { rows } = await db.query<{ tenant_id: number }>(sql`
    select tenant_id from webhooks
    where coalesce(
      (select true from deliveries
       where deliveries.tenant_id = webhooks.tenant_id
         and created_at < now() - ${olderThanDays.all} * interval '1 day'
       order by created_at limit 1),
      (select true from deliveries
       where deliveries.tenant_id = webhooks.tenant_id
         and event = 'contact.read' and state = 'delivered'
         and created_at < now() - ${olderThanDays.reads} * interval '1 day'
       order by created_at limit 1),
      false)
    order by tenant_id`);
  return rows.map((row) => row.tenant_id);
}
