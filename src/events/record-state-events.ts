import sql, { type Sql } from 'sql-template-tag';
import type { OptInEventType } from '../webhooks/schema.ts';
import { isWanted } from './is-wanted.ts';

/**
 * A CTE that records that the states of records have changed, for tenants that want this event.
 *
 * @param changed a CTE with `tenant_id`, and `data` as JSON
 * @param tenantId the tenant, if the statement is about one
 */
export function recordedChanges(
  event: Extract<OptInEventType, `${string}_changed`>,
  changed: Sql,
  tenantId: Sql | number = sql`recorded.tenant_id`,
): Sql {
  const family = `${event.split('.')[0]}.*`;
  return sql`
    recorded_changes as (
      insert into event_outbox (tenant_id, event, data, created_at)
      select recorded.tenant_id, recorded.event, recorded.data, now()
      from (
        select changed.tenant_id, ${event}::text as event, changed.data::text as data from ${changed} as changed
      ) as recorded
      where ${isWanted(tenantId, sql`recorded.event`, sql`${family}::text`)}
      returning pg_notify('event_outbox', '')
    )`;
}
