import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { notifyTopic } from '../../tenants/watched-topics.ts';
import type { Endpoint } from '../endpoint-key.ts';

/**
 * Deletes some of an endpoint's deliveries.
 *
 * @returns how many
 */
export async function deleteDeliveries(
  db: Db,
  { tenantId, webhookId }: Endpoint,
  limit: number,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>(sql`
    with chosen as (
      select id from deliveries
      where tenant_id = ${tenantId} and webhook_id = ${webhookId} and created_at is not null
      order by created_at limit ${limit}
    ), gone as (
      delete from deliveries where tenant_id = ${tenantId} and id in (select id from chosen)
      returning id, octet_length(body) as bytes
    ), usage as (
      update delivery_usage set kept_bytes = greatest(0, kept_bytes - coalesce((
        select sum(bytes) from gone where id <= measured_id), 0))
      where tenant_id = ${tenantId} and exists (select from gone)
    )
    select count(*) from gone`);
  return rows[0]!.count;
}

/**
 * Deletes an endpoint, with deliveries that were recorded before the last moment.
 *
 * @returns whether there was one
 */
export async function deleteWebhook(db: Db, { tenantId, webhookId }: Endpoint): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    delete from webhooks where tenant_id = ${tenantId} and id = ${webhookId}
    returning ${notifyTopic('webhook', sql`webhooks.tenant_id`)}`);
  return rowCount === 1;
}
