import sql, { type Sql } from 'sql-template-tag';
import { hasLog } from './is-wanted.ts';

/**
 * A CTE that puts events of the contract into the outbox for the log of their tenant, if it has one.
 *
 * @param recorded a CTE with tenant_id, event_id, created_at, type and data
 */
export function recordedForLog(recorded: Sql): Sql {
  return sql`
    recorded_for_log as (
      insert into event_outbox (tenant_id, id, created_at, event, data)
      select recorded.tenant_id, recorded.event_id, recorded.created_at, recorded.type,
             concat(recorded.data)
      from ${recorded} as recorded
      where ${hasLog(sql`recorded.tenant_id`)}
      order by recorded.event_id
      returning pg_notify('event_outbox', '')
    )`;
}
