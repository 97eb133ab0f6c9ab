import sql, { type Sql } from 'sql-template-tag';

/** A condition: whether the tenant has a log of events. */
export function hasLog(tenantId: Sql | number): Sql {
  // Not `exists`, which PostgreSQL may turn into a scan of all tenants.
  return sql`(select true from event_logs where event_logs.tenant_id = ${tenantId}) is true`;
}

/**
 * A condition: whether the tenant has a log, or an endpoint that has chosen an opt-in event.
 *
 * @param family of the event
 */
export function isWanted(tenantId: Sql | number, event: Sql, family: Sql): Sql {
  return sql`(
    ${hasLog(tenantId)}
    or (
      select true from webhooks
      where webhooks.tenant_id = ${tenantId}
        and webhooks.recorded_events && array[${event}, ${event} || '_batch', ${family}]
      limit 1) is true)`;
}
