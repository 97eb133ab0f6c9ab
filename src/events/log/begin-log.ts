import sql, { type Sql } from 'sql-template-tag';
import type { Ability } from '../../tenants/tokens/abilities.ts';

const ability: Ability = 'events:read';

/**
 * A CTE that begins the log of a tenant with its first token that may read it. Events from before are not in the log.
 *
 * @param token a CTE with the tenant_id and the abilities of a new token
 */
export function begunLog(token: Sql): Sql {
  return sql`
    begun_log as (
      insert into event_logs (tenant_id, begins_after)
      select tenant_id, (select case when is_called then last_value else 0 end from event_positions)
      from ${token} as token where ${ability}::text = any(abilities)
      on conflict (tenant_id) do nothing
    )`;
}
