import sql, { type Sql } from 'sql-template-tag';

/**
 * CTEs that delete deliveries with their attempts, and take them out of what their tenants' quota counts. `gone` has
 * the deleted ones.
 *
 * @param doomed a CTE with `tenant_id` and `id` of deliveries
 */
export function deletedDeliveries(doomed: Sql): Sql {
  return sql`
    gone as (
      delete from deliveries using ${doomed} as doomed_delivery
      where deliveries.tenant_id = doomed_delivery.tenant_id and deliveries.id = doomed_delivery.id
      returning deliveries.tenant_id, deliveries.id, octet_length(body) as bytes
    ), usage as (
      update delivery_usage set kept_bytes = greatest(0, kept_bytes - coalesce((
        select sum(bytes) from gone
        where gone.tenant_id = delivery_usage.tenant_id and gone.id <= measured_id), 0))
      where tenant_id in (select tenant_id from gone)
    )`;
}
